/* Shared by popen() and pclose(). */
#ifndef NLSH_PRELOAD_POPEN_H
#define NLSH_PRELOAD_POPEN_H

/* Frees the buffer of a closed stream (table.h). */
void popen_free(char* buffer);

#endif
