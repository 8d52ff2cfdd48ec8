/* The functions that ours replace. They are looked up when first needed, to keep the constructor
 * short. */
#ifndef NLSH_PRELOAD_REAL_H
#define NLSH_PRELOAD_REAL_H

#include <stdio.h>

FILE* real_popen(const char* command, const char* mode);
int real_pclose(FILE* file);
int real_system(const char* command);
int real_fclose(FILE* file);

#endif
