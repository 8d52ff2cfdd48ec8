/* Whether an exec is certain to be let through: what it closes may be closed before. */
#ifndef NLSH_PRELOAD_CERTAIN_H
#define NLSH_PRELOAD_CERTAIN_H

#include <stdbool.h>

/* Some 30 µs: for who waits anyway. errno is as before. */
bool exec_is_certain(const char* file, char* const* environment);

#endif
