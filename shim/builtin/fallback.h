/* A command that isn't native falls back: bash runs the real ip as if the builtin weren't there. */
#ifndef NLSH_BUILTIN_FALLBACK_H
#define NLSH_BUILTIN_FALLBACK_H

#include "shim/builtin/bash.h"

/* Call it before anything has run. Returns the builtin's result. file: the one that bash finds;
 * NULL: let bash search. text: the command as written, or NULL. */
int fall_back(char* file, const char* name, WORD_LIST* arguments, const char* text);

#endif
