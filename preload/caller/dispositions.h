/* system() ignores SIGINT and SIGQUIT while it waits. Dispositions are the process's: threads that
 * are in system() at the same time share them, and the last one restores them. libc's system() does
 * the same with a lock and a count of its own, so that ours and libc's must not overlap. No lock
 * here: a signal handler may call system(), too. */
#ifndef NLSH_PRELOAD_DISPOSITIONS_H
#define NLSH_PRELOAD_DISPOSITIONS_H

#include <signal.h>
#include <stdbool.h>

/* Adds to `defaults` those that the program didn't ignore: its child gets them as they were. False:
 * libc's system() is under way, and nothing has been done. */
bool dispositions_ignore(sigset_t* defaults);
void dispositions_restore(void);
/* Around libc's. False: ours is under way. */
bool dispositions_enter_libcs(void);
void dispositions_leave_libcs(void);

#endif
