/* Programs that are exec'd in another program's place. */
#ifndef NLSH_PRELOAD_EXEC_H
#define NLSH_PRELOAD_EXEC_H

#include <stdbool.h>

#include "preload/exec/in_place.h"
#include "preload/spawned/spawned.h"

/* The words of nlsh, and so many of the program's. */
enum { REPLACED_WORDS = 3, REPLACED_MAX = 64 };

/* What is exec'd before the program itself is tried. */
struct instead {
    char* const* command; /* of `ip netns exec NAME COMMAND`, when all before it is done; NULL */
    bool nlsh;            /* that no server serves the process: nlsh, which is told the program */
    struct spawned spawned;
    char* words[REPLACED_WORDS + REPLACED_MAX + 1];
};

/* Whether nlsh may take the program's place. `line`: a shell's, else NULL. The program's exec would
 * be let through: nlsh, which falls back to it, couldn't tell the caller that it wasn't. */
bool replaced_prepare(struct instead* instead, const struct program* program, const char* line,
                      const char* reason);

/* Returns if there is none, or it can't be exec'd: then the program itself is exec'd. */
void exec_now(const struct instead* instead, char* const* environment);

#endif
