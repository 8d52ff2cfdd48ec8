/* Ends a process in another program's place: signals act as they would have on that program. */
#ifndef NLSH_PRELOAD_ENDING_H
#define NLSH_PRELOAD_ENDING_H

#include <signal.h>

/* Ends with the wait status. All signals are blocked. Pending ones that `mask` lets through end the
 * process as they would have ended the other program, which has no handlers. */
_Noreturn void end_with(int wait_status, const sigset_t* mask);
/* As after the exec: no handlers, and this mask. */
void ending_open_signals(const sigset_t* mask);
/* Discards a signal that our own write has raised. */
void ending_forget(int signal);

#endif
