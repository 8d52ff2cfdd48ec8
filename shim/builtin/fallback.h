/* A command that isn't native falls back: bash runs the real ip as if the builtin weren't there. */
#ifndef NLSH_BUILTIN_FALLBACK_H
#define NLSH_BUILTIN_FALLBACK_H

#include <stdbool.h>

#include "shim/builtin/bash.h"

/* Returns the builtin's result. Nothing has run before. */
int fall_back(const char* name, WORD_LIST* arguments);
/* Whether this call comes from fall_back. */
bool is_fallback(void);
/* The running command, before its words are expanded; NULL: a trap's command can't be told from the
 * command that it interrupts. */
const char* command_as_written(void);
/* `command -p`: search the standard PATH. */
bool wants_standard_path(void);

#endif
