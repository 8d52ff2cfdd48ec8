/* Before bash forks for a substitution: loads the engine, or lets `command -v` see the file. */
#ifndef NLSH_BUILTIN_SUBSTITUTION_H
#define NLSH_BUILTIN_SUBSTITUTION_H

#include "shim/builtin/bash.h"

/* From now on, for builtins that run by this function. */
void substitution_watch(sh_builtin_func_t* function);
/* So many processes bash has made. */
unsigned substitution_forks(void);

#endif
