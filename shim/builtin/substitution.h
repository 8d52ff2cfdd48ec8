/* Before bash forks for a substitution: loads the engine, or lets `command -v` see the file. */
#ifndef NLSH_BUILTIN_SUBSTITUTION_H
#define NLSH_BUILTIN_SUBSTITUTION_H

#include "shim/builtin/bash.h"

/* Begins to do so, for builtins that this function runs. */
void substitution_watch(sh_builtin_func_t* function);
/* How often bash has forked. */
unsigned substitution_forks(void);

#endif
