/* Makes `type`, `hash` and `command -v` report the file, as if the builtin weren't there. */
#ifndef NLSH_BUILTIN_HIDING_H
#define NLSH_BUILTIN_HIDING_H

#include <stdbool.h>

#include "shim/builtin/bash.h"

/* From now on `type` and `hash` don't see builtins that run by this function. Children that may ask
 * by `command -v` have them disabled. */
void hide_builtins(sh_builtin_func_t* function);
/* Whether bash has made a process since the last call. */
bool has_forked(void);

#endif
