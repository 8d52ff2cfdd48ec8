/* Whether a thread is still in the network namespace in which something was kept for it. The kernel
 * tells by the link /proc/thread-self/ns/net; the way there is two thirds of the cost of reading it
 * (3.4 us), so a descriptor of the link itself is kept, too (O_PATH: nothing can be done by it that
 * its path doesn't allow). Async-signal-safe, no heap. C17 and C++. */
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
    uint64_t thread; /* whose link it is */
    int link;        /* numbered 100 or more; anything else, as in zeroed memory: there is none */
    dev_t
        device; /* of the link: the program may have closed it, and its number be another file's */
    ino_t inode;
    char name[NLSH_NETNS_NAME];
};

/* Opens the calling thread's link; `thread` identifies the thread among all that there are, or
 * were while this one is open. False: it can't be read, and there is nothing to close. */
bool thread_netns_open(struct thread_netns* netns, uint64_t thread);
/* Whether the calling thread, this or another one, is in that namespace. */
bool thread_netns_is_current(const struct thread_netns* netns, uint64_t thread);
/* Closes an opened link; does nothing the second time, or for zeroed memory. */
void thread_netns_close(struct thread_netns* netns);

#ifdef __cplusplus
}
#endif
#endif
