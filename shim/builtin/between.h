/* What the script may have done between two commands: what the first has found out of files and of
 * the process holds for the second only if that is nothing. */
#ifndef NLSH_BUILTIN_BETWEEN_H
#define NLSH_BUILTIN_BETWEEN_H

#include <stdbool.h>

#include "shim/builtin/bash.h"

/* From now on that is known; of builtins that run by this function, and of `test`. */
void between_watch(sh_builtin_func_t* function);
/* To be asked once by each command, as it begins. */
bool between_may_have_changed(void);

#endif
