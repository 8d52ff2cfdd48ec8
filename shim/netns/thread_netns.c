#define _GNU_SOURCE 1 /* O_PATH */
#include "shim/netns/thread_netns.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shim/netns/kept_socket.h"

static const char path[] = "/proc/thread-self/ns/net";

enum { HIGH = 100 }; /* kept_copy() returns no lower numbers */

/* Reads the open link `link`, or the path's if `link` is AT_FDCWD. */
static bool read_name(int link, char* name) {
    const ssize_t size = readlinkat(link, link == AT_FDCWD ? path : "", name, NLSH_NETNS_NAME - 1);
    name[size > 0 ? size : 0] = 0;
    return size > 0 && size < NLSH_NETNS_NAME - 1;
}

static int open_link(void) {
    const int low = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (low < 0) return -1;
    const int high = kept_copy(low);
    close(low);
    return high;
}

bool thread_netns_open(struct thread_netns* netns, uint64_t thread) {
    if (!read_name(AT_FDCWD, netns->name)) return false;
    netns->thread = thread;
    netns->link = open_link();
    struct stat status;
    if (netns->link >= HIGH && fstat(netns->link, &status) == 0) {
        netns->device = status.st_dev;
        netns->inode = status.st_ino;
    }
    return true;
}

bool thread_netns_is_current(const struct thread_netns* netns, uint64_t thread) {
    char name[NLSH_NETNS_NAME];
    const bool mine = netns->link >= HIGH && thread == netns->thread;
    /* If another file has the number now, readlinkat() doesn't give a namespace's name. */
    if (!(mine && read_name(netns->link, name)) && !read_name(AT_FDCWD, name)) return false;
    return strcmp(name, netns->name) == 0;
}

void thread_netns_close(struct thread_netns* netns) {
    struct stat status;
    if (netns->link >= HIGH && fstat(netns->link, &status) == 0 && status.st_dev == netns->device &&
        status.st_ino == netns->inode) {
        close(netns->link);
    }
    netns->link = -1;
}
