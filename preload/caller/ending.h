/* A process's end in the place of another's, whose signals would have met that one. */
#ifndef NLSH_PRELOAD_ENDING_H
#define NLSH_PRELOAD_ENDING_H

#include <signal.h>

/* With the wait status. All signals are blocked; those that have come and that `mask` lets through
 * end it as they would have ended the other program, which has no handlers. */
_Noreturn void end_with(int wait_status, const sigset_t* mask);
/* As in the program that exec would have made: no handlers, and this mask. */
void ending_open_signals(const sigset_t* mask);
/* One that a write of ours has raised. */
void ending_forget(int signal);

#endif
