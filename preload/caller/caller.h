/* Whether the calling thread may use nlsh, and what its child would inherit. */
#ifndef NLSH_PRELOAD_CALLER_H
#define NLSH_PRELOAD_CALLER_H

#include <stdbool.h>

enum { DESCRIPTORS_MIN = 16 }; /* a pipeline's shell and a program's libraries need these */

/* Which of the standard output and error are open. */
struct outputs {
    bool out, err;
};
/* NULL if the line's shell would find what the server assumes, and an exec of ip would keep the
 * calling thread's rights; otherwise the reason. Also checks the outputs, unless NULL. */
const char* caller_refusal(const char* line, struct outputs* outputs);
/* The same for a process that is about to become `file`, and has no other threads. line may be
 * NULL; the environment is the passed one; nothing is cached. Skips the server's own checks, and
 * the check of DESCRIPTORS_MIN, which inherited_outputs_take() makes. */
const char* exec_refusal(const char* file, const char* line, char* const* environment);
/* SIGCHLD is ignored: wait() finds no child, and popen and system report ECHILD. */
bool children_are_reaped(void);
bool sigpipe_ignored(void);
/* With NLSH_SIGCHLD: sends the signal of a child's end. Keeps errno. */
void child_has_ended(void);

#endif
