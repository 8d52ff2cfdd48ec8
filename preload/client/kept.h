/* A connection that is kept for the next call. Within a burst of calls (a daemon that sets up a
 * thousand links) making one anew is half of what a call costs. A call by itself leaves nothing
 * behind. Whether a kept one may still be used is looked at in each call:
 *
 *   the program may have closed it, and its number be another file's: SO_COOKIE tells;
 *   a fork's child has it, too, and answers would mingle: it belongs to one process, forgotten in
 *     a fork's child. A vfork's, which can't be told from its parent, is told by the server, which
 *     takes a request only from the process that connected: its parent's is left alone then;
 *   the thread may be in another network namespace by now, for which the server would act wrongly:
 *     the namespace's number, which can't be another's while the connection is open: where it isn't
 *     the server's own, the server's end holds it, and lets it go whatever the program does
 *     (shim/netns/thread_netns.h; wire.h, NLSH_KEPT_APART);
 *   the thread may run on another processor than the server's thread: that one is closed;
 *   the server may have closed it: then the request can't be sent, or is refused unread, and a new
 *     connection takes its place.
 *
 * Atomic slots, no lock: signal handlers and other threads find other slots, or none. */
#ifndef NLSH_PRELOAD_KEPT_H
#define NLSH_PRELOAD_KEPT_H

#include <stdbool.h>
#include <sys/types.h>

enum { KEPT_NONE = 0 };

/* A slot whose connection may be used, until kept_put or kept_drop; KEPT_NONE. Sets the socket. */
int kept_take(unsigned cpu, int* socket);
/* A slot for a connection that is to be kept: there has been a call lately, and there is room. */
int kept_reserve(void);
/* After a call that ended well: for the next one. The connection was made by this call (`fresh`),
 * or is the slot's own. False: it couldn't be kept, and is still the caller's. */
bool kept_put(int slot, int socket, unsigned cpu, bool fresh);
/* Closes all that nobody uses: the program is short of descriptors. False: there is none. */
bool kept_forget(void);
/* The slot is free again, whether anything was put there or not; its socket is the caller's to
 * close. A parent's stays the parent's. */
void kept_drop(int slot);
/* Not a parent's, with whom a vfork's child shares its memory. */
bool kept_is_mine(int slot);
/* The slot's socket hasn't been closed by somebody else, and its number isn't another file's. */
bool kept_is_there(int slot);
/* getpid(), in a burst without a system call. A vfork's child, which may but exec or end, is taken
 * for its parent. */
pid_t kept_process(void);

#endif
