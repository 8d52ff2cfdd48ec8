/* A socket that is kept in a program for its next call, and whether it may still be used: by the
 * preload (preload/client/kept.h says what for) and by the engine in process. Async-signal-safe, no
 * heap; one thread at a time uses one, the owner's slot sees to it. C17 and C++. */
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
    uint64_t cookie; /* socket_cookie() of it */
    int64_t used;    /* last: a use's beginning, kept_now_ms() */
    struct thread_netns netns;
};

enum { NLSH_BURST_MS = 50 }; /* two calls within that time begin a burst */

/* Exact to a few milliseconds, without a system call. */
int64_t kept_now_ms(void);
/* Copies a descriptor to keep, numbered 100 or more and away from the program's limit, where the
 * program doesn't meet it. -1: there is no room. */
int kept_copy(int number);
/* SO_COOKIE; 0: the number is no socket's. */
uint64_t socket_cookie(int number);
/* Whether it is still open: the program hasn't closed it, nor reused its number. */
bool kept_socket_is_ours(const struct kept_socket* kept);
/* Whether it was used within NLSH_KEPT_MS. If so, the time starts anew. */
bool kept_socket_is_recent(struct kept_socket* kept);
/* The same, and the calling thread is in its namespace. */
bool kept_socket_is_usable(struct kept_socket* kept, uint64_t thread);

#ifdef __cplusplus
}
#endif
#endif
