/* The calling thread: may it take the fast path, and what would its child have inherited? */
#ifndef NLSH_PRELOAD_CALLER_H
#define NLSH_PRELOAD_CALLER_H

#include <stdbool.h>

enum { DESCRIPTORS_MIN = 16 }; /* those of a pipeline's shell, and of a program's libraries */

/* Which of the standard output and error are open. */
struct outputs {
    bool out, err;
};
/* NULL when the line's shell would find what the server assumes, and an exec'ed ip would have the
 * rights of the calling thread; else the reason. Looks at the outputs, too, unless NULL. */
const char* caller_refusal(const char* line, struct outputs* outputs);
/* The same of a process that is about to become `file`, and has no other threads: the line
 * may be NULL, the environment is the one that is passed, and nothing is remembered. What the
 * server looks at in each of them isn't looked at twice, nor DESCRIPTORS_MIN, which
 * inherited_outputs_take() does. */
const char* exec_refusal(const char* file, const char* line, char* const* environment);
/* SIGCHLD is ignored: wait() finds no child, and popen and system report ECHILD. */
bool children_are_reaped(void);
bool sigpipe_ignored(void);
/* With NLSH_SIGCHLD: what a child's end would have sent. Leaves errno alone. */
void child_has_ended(void);

#endif
