/* Tracks whether the script may have changed anything between two commands. If not, what the first
 * has found out of files and the process holds for the second. */
#ifndef NLSH_BUILTIN_BETWEEN_H
#define NLSH_BUILTIN_BETWEEN_H

#include <stdbool.h>

#include "shim/builtin/bash.h"

/* Starts tracking, for builtins that run by this function, and for `test`. */
void between_watch(sh_builtin_func_t* function);
/* Each command asks this once, when it begins. */
bool between_may_have_changed(void);

#endif
