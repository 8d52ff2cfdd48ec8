/* Runs a command in bash's own process, by libnlsh-engine.so. */
#ifndef NLSH_BUILTIN_IN_PROCESS_H
#define NLSH_BUILTIN_IN_PROCESS_H

#include <stdbool.h>

/* Loads the engine, once. Not done when bash loads the builtin, because each script would pay for
 * it. */
void in_process_prepare(void);
/* True: the command has run and set the status. False: nothing has run. words: argv, with a NULL.
 * doubt: files may have changed since the last command. */
bool in_process_run(const char* file, const char* const* words, bool doubt, int* status);

#endif
