/* A connection that is kept for the next call. Within a burst of calls (a daemon that sets up a
 * thousand links) a new connection is half of a call's cost. A single call leaves nothing behind.
 * What may have happened since the last call, and what each call does about it:
 *
 *   The program closed the connection, and another file may have its number: compare SO_COOKIE.
 *   The process forked, and answers to both processes would mix: a forked child forgets the
 *     connection. A vfork's child leaves it alone after the server, which takes requests only from
 *     the process that connected, has refused the child.
 *   The thread moved to another network namespace, and the server would act in the wrong one:
 *     compare the namespace's number, which isn't reused while the connection is open. If the
 *     namespace isn't the server's, the server's end holds it, and releases it whatever the program
 *     does (shim/netns/thread_netns.h; wire.h, NLSH_KEPT_APART).
 *   The thread moved to another processor than the server's thread: close the connection.
 *   The server closed the connection: sending fails, or the server refuses the request unread, and
 *     a new connection replaces it.
 *
 * Slots are atomic, without a lock: signal handlers and other threads use other slots, or none. */
#ifndef NLSH_PRELOAD_KEPT_H
#define NLSH_PRELOAD_KEPT_H

#include <stdbool.h>
#include <sys/types.h>

enum { KEPT_NONE = 0 };

/* Takes a slot with a usable connection, until kept_put or kept_drop; or KEPT_NONE. Sets the
 * socket. */
int kept_take(unsigned cpu, int* socket);
/* Reserves a slot if the last call was recent and a slot is free; or KEPT_NONE. */
int kept_reserve(void);
/* Keeps the connection after a successful call. `fresh`: this call made it; otherwise it came from
 * the slot. False: the caller still owns the connection. */
bool kept_put(int slot, int socket, unsigned cpu, bool fresh);
/* Closes all unused connections, to free descriptors for the program. False: there were none. */
bool kept_forget(void);
/* Frees the slot, also an empty one; the caller closes the socket. Doesn't touch a parent's slot.
 */
void kept_drop(int slot);
/* False: this is a vfork's child, and the slot belongs to the parent. */
bool kept_is_mine(int slot);
/* Whether the slot's socket is still open: not closed, and its number not reused. */
bool kept_is_there(int slot);
/* getpid(), cached during a burst. In a vfork's child, which may only exec or end, returns the
 * parent's pid. */
pid_t kept_process(void);

#endif
