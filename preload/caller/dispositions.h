/* system() ignores SIGINT and SIGQUIT while it waits. Dispositions belong to the process: threads
 * that are in system() at the same time share them, and the last one restores them. libc's system()
 * does the same with its own lock and count, so ours and libc's must not overlap. No lock here,
 * because a signal handler may call system(), too. */
#ifndef NLSH_PRELOAD_DISPOSITIONS_H
#define NLSH_PRELOAD_DISPOSITIONS_H

#include <signal.h>
#include <stdbool.h>

/* Adds the signals that the program didn't ignore to `defaults`: the child gets default actions for
 * them. False: libc's system() is running, and nothing has been done. */
bool dispositions_ignore(sigset_t* defaults);
void dispositions_restore(void);
/* Call these around libc's system(). False: ours is running. */
bool dispositions_enter_libcs(void);
void dispositions_leave_libcs(void);

#endif
