/* The netlink socket that a call passes to the server (wire.h, NLSH_NETLINK). */
#ifndef NLSH_PRELOAD_OWN_SOCKET_H
#define NLSH_PRELOAD_OWN_SOCKET_H

#include <stdbool.h>
#include <stdint.h>

#include "shim/wire/wire.h"

/* Whether the server can serve this thread only with its socket: it isn't root, or a seccomp filter
 * is on it. */
bool own_socket_is_needed(void);
/* Whether the thread wasn't root when own_socket_is_needed() was called last. A wrong answer costs
 * time only. */
bool own_socket_is_of_user(void);
/* For a user's change: the mark needs CAP_NET_ADMIN, and the server takes it off (wire.h,
 * NLSH_NETLINK). A server that isn't root's gets none, because it could pass the socket on. Returns
 * the socket's cookie; 0: it has no mark. */
uint64_t own_socket_mark(int netlink, int server);
/* Clears the mark, if the server hasn't, and closes the socket: a child that another thread forked
 * meanwhile may have a copy. Does nothing if another thread has closed the socket. */
void own_socket_unmark(int netlink, uint64_t cookie);
/* Whether this thread's filter lets it make such a socket. Call it after the probe of rights: a
 * filter may kill. */
bool own_socket_may_be_made(void);

/* The server refused the caller, not the line: pass the socket from now on. False: it was passed
 * already. */
bool own_socket_is_wanted(const struct nlsh_reply* reply, bool passed);

#endif
