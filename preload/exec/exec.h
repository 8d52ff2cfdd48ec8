/* Programs that are exec'd in another program's place. */
#ifndef NLSH_PRELOAD_EXEC_H
#define NLSH_PRELOAD_EXEC_H

#include <stdbool.h>

#include "preload/exec/in_place.h"
#include "preload/spawned/spawned.h"

/* The most words: nlsh's own, and the program's. */
enum { REPLACED_WORDS = 3, REPLACED_MAX = 64 };

/* The program to exec instead. */
struct instead {
    char* const* command; /* COMMAND of `ip netns exec`, if the process is in the namespace */
    bool nlsh;            /* exec nlsh with the program's words: no server answers */
    struct spawned spawned;
    char* words[REPLACED_WORDS + REPLACED_MAX + 1];
};

/* Whether nlsh may take the program's place. `line`: a shell's, else NULL. True only if
 * the program's own exec would succeed, because nlsh can't report its failure. */
bool replaced_prepare(struct instead* instead, const struct program* program, const char* line,
                      const char* reason);

/* Returns if there is nothing to exec, or the exec fails: then exec the program itself. */
void exec_now(const struct instead* instead, char* const* environment);

#endif
