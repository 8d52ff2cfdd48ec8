/* A command that is done in bash's own process, by libnlsh-engine.so. */
#ifndef NLSH_BUILTIN_IN_PROCESS_H
#define NLSH_BUILTIN_IN_PROCESS_H

#include <stdbool.h>

/* Loads the engine, once. It isn't loaded with the builtin, whose own loading each script pays. */
void in_process_prepare(void);
/* True: done, with this status. False: nothing has run. words: argv, ends with NULL. doubt: files
 * may have changed since the last command. */
bool in_process_run(const char* file, const char* const* words, bool doubt, int* status);

#endif
