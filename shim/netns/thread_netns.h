/* Whether a thread is still in the network namespace of what was kept for it. The link
 * /proc/thread-self/ns/net names the namespace. The path's look-up takes two thirds of the time of
 * reading it (3.4 us), so the link's descriptor is kept, too (O_PATH: allows nothing that the path
 * doesn't). Async-signal-safe, no heap. C17 and C++. */
#ifndef NLSH_SHIM_NETNS_THREAD_NETNS_H
#define NLSH_SHIM_NETNS_THREAD_NETNS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { NLSH_NETNS_NAME = 24 /* "net:[4026531840]" */ };

struct thread_netns {
    uint64_t thread; /* the link's thread */
    int link;        /* 100 or more; other numbers, as in zeroed memory: there is none */
    dev_t
        device; /* of the link: the program may have closed it, and its number be another file's */
    ino_t inode;
    char name[NLSH_NETNS_NAME];
};

/* Opens the calling thread's link. `thread` identifies the thread, also among threads that have
 * ended since. False: the link can't be read; there is nothing to close. */
bool thread_netns_open(struct thread_netns* netns, uint64_t thread);
/* Whether the calling thread, the same or another one, is in that namespace. */
bool thread_netns_is_current(const struct thread_netns* netns, uint64_t thread);
/* Closes an opened link; does nothing the second time, or for zeroed memory. */
void thread_netns_close(struct thread_netns* netns);

#ifdef __cplusplus
}
#endif
#endif
