/* The netlink socket that a call passes to the server (wire.h, NLSH_NETLINK). */
#ifndef NLSH_PRELOAD_OWN_SOCKET_H
#define NLSH_PRELOAD_OWN_SOCKET_H

#include <stdbool.h>

#include "shim/wire/wire.h"

/* Whether the server couldn't serve this thread without: it isn't root, or a filter of system calls
 * is on it. */
bool own_socket_is_needed(void);
/* Whether this thread's filter of system calls lets it make such a socket. Call it after
 * the probe of rights, as a filter may kill who asks. */
bool own_socket_may_be_made(void);

/* The server refused who called, not the line: from now on the socket is passed. False: it was
 * passed already. */
bool own_socket_is_wanted(const struct nlsh_reply* reply, bool passed);

#endif
