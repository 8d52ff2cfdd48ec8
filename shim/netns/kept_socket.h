/* A socket that the preload (preload/client/kept.h) or the engine in process keeps for a program's
 * next call, and whether the socket may still be used. Async-signal-safe, no heap. The owner's slot
 * lets one thread at a time use a socket. C17 and C++. */
#ifndef NLSH_SHIM_NETNS_KEPT_SOCKET_H
#define NLSH_SHIM_NETNS_KEPT_SOCKET_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "shim/netns/thread_netns.h"

#ifdef __cplusplus
extern "C" {
#endif

struct kept_socket {
    int number;
    pid_t owner;     /* the process that keeps it */
    uint64_t cookie; /* the socket's socket_cookie() */
    int64_t used;    /* when the last use began, by kept_now_ms() */
    struct thread_netns netns;
};

enum { NLSH_BURST_MS = 50 }; /* two calls within that time begin a burst */

/* Exact to a few milliseconds, without a system call. */
int64_t kept_now_ms(void);
/* Copies a descriptor to a number of 100 or more, well below the limit, which the program doesn't
 * use. -1: no room. */
int kept_copy(int number);
/* SO_COOKIE; 0: not a socket. */
uint64_t socket_cookie(int number);
/* Whether the socket is still open: the program hasn't closed it or reused its number. */
bool kept_socket_is_ours(const struct kept_socket* kept);
/* Whether the socket was used within NLSH_KEPT_MS. If so, restarts that time. */
bool kept_socket_is_recent(struct kept_socket* kept);
/* The same, and the calling thread is in the socket's namespace. */
bool kept_socket_is_usable(struct kept_socket* kept, uint64_t thread);

#ifdef __cplusplus
}
#endif
#endif
