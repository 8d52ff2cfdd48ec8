/* Ends a process in another program's place: signals act as they would have on that program. */
#ifndef NLSH_PRELOAD_ENDING_H
#define NLSH_PRELOAD_ENDING_H

#include <signal.h>
#include <stdint.h>

/* Ends with the wait status. All signals are blocked. Pending signals that `mask` lets through end
 * the process as they would have ended the other program, which has no handlers. */
_Noreturn void end_with(int wait_status, const sigset_t* mask);
/* As after the exec: no handlers, and this mask. */
void ending_open_signals(const sigset_t* mask);
/* The same, until ending_put_back() restores the handlers because the exec has failed. */
struct handlers {
    uint64_t dropped; /* a bit for each signal, from 1; 0: no handler to restore */
    unsigned long kept[64][5];
};
void ending_open_signals_for_now(struct handlers* handlers, const sigset_t* mask);
/* All signals are blocked again. */
void ending_put_back(const struct handlers* handlers);
/* Drops a pending signal that our own write has raised. */
void ending_forget(int signal);

#endif
