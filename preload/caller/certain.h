/* Whether an exec will certainly succeed, so that its close-on-exec descriptors can be closed
 * before. */
#ifndef NLSH_PRELOAD_CERTAIN_H
#define NLSH_PRELOAD_CERTAIN_H

#include <stdbool.h>

/* Takes some 30 µs: for a process that waits anyway. Keeps errno. */
bool exec_is_certain(const char* file, char* const* environment);

#endif
