/* What popen() leaves to pclose(). */
#ifndef NLSH_PRELOAD_POPEN_H
#define NLSH_PRELOAD_POPEN_H

/* The buffer of a stream that is closed by now (table.h). */
void popen_free(char* buffer);

#endif
