/* The calling thread: may it take the fast path, and what would its child have inherited? */
#ifndef NLSH_PRELOAD_CALLER_H
#define NLSH_PRELOAD_CALLER_H

#include <stdbool.h>

/* NULL when the line's shell would find what the server assumes, and an exec'ed ip would have the
 * rights that the server assumes; else the reason. */
const char* caller_refusal(const char* line);
/* The same of a process that is about to become another program: the line may be NULL, the
 * environment is the one that is passed, and nothing is remembered. */
const char* exec_refusal(const char* line, char* const* environment);
/* SIGCHLD is ignored: wait() finds no child, and popen and system report ECHILD. */
bool children_are_reaped(void);
bool sigpipe_ignored(void);
/* Are 1 and 2 open? `lowest` was the lowest free number until we took it; 0 also: not known. */
struct outputs {
    bool out, err;
};
struct outputs outputs_below(int lowest);
/* With NLSH_SIGCHLD: what a child's end would have sent. Leaves errno alone. */
void child_has_ended(void);

#endif
