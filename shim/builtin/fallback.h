/* What isn't done in bash's process is the real ip's: bash runs that as if the builtin weren't
 * there. */
#ifndef NLSH_BUILTIN_FALLBACK_H
#define NLSH_BUILTIN_FALLBACK_H

#include <stdbool.h>

#include "shim/builtin/bash.h"

/* The builtin's result. Nothing has run. */
int fall_back(const char* name, WORD_LIST* arguments);
/* This call is such a command's, and comes from fall_back. */
bool is_fallback(void);
/* The command that runs now, before its words are expanded; NULL: that of the trap isn't told apart
 * from what it runs. */
const char* command_as_written(void);
/* `command -p`: a file of the standard PATH is wanted. */
bool wants_standard_path(void);

#endif
