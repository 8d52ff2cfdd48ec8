/* A connection that is kept for the next call. Within a burst of calls (a daemon that sets up a
 * thousand links) a new connection is half of a call's cost. A single call leaves nothing behind.
 * Each call checks whether a kept connection may still be used:
 *
 *   the program may have closed it, and its number may be another file's: SO_COOKIE tells;
 *   a forked child has it, too, and answers would mix: it belongs to one process, and a forked
 *     child forgets it. The server tells a vfork's child from its parent: it takes a request only
 *     from the process that connected, and the child then leaves the connection alone;
 *   the thread may have moved to another network namespace, for which the server would act wrongly:
 *     the namespace's number tells, which isn't reused while the connection is open. If the
 *     namespace isn't the server's, the server's end holds it, and releases it whatever the program
 *     does (shim/netns/thread_netns.h; wire.h, NLSH_KEPT_APART);
 *   the thread may have moved to another processor than the server's thread: it is closed;
 *   the server may have closed it: then sending fails, or the request is refused unread, and a new
 *     connection replaces it.
 *
 * Atomic slots, no lock: signal handlers and other threads find other slots, or none. */
#ifndef NLSH_PRELOAD_KEPT_H
#define NLSH_PRELOAD_KEPT_H

#include <stdbool.h>
#include <sys/types.h>

enum { KEPT_NONE = 0 };

/* Takes a slot with a usable connection, until kept_put or kept_drop; or KEPT_NONE. Sets the
 * socket. */
int kept_take(unsigned cpu, int* socket);
/* Reserves a slot if there has been a call lately and there is room; or KEPT_NONE. */
int kept_reserve(void);
/* Keeps the connection after a successful call. `fresh`: this call made it; otherwise it came from
 * the slot. False: the caller still owns the connection. */
bool kept_put(int slot, int socket, unsigned cpu, bool fresh);
/* Closes all unused connections, if the program is short of descriptors. False: there is none. */
bool kept_forget(void);
/* Frees the slot, also an empty one; the caller closes the socket. Doesn't touch a parent's slot.
 */
void kept_drop(int slot);
/* False: this is a vfork's child, and the slot belongs to the parent. */
bool kept_is_mine(int slot);
/* Whether the slot's socket is still open: not closed, and its number not reused. */
bool kept_is_there(int slot);
/* getpid(), in a burst without a system call. A vfork's child, which may only exec or end,
 * counts as its parent. */
pid_t kept_process(void);

#endif
