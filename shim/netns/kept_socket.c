#include "shim/netns/kept_socket.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "shim/wire/wire.h"

int64_t kept_now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

enum {
    HIGH = 100, /* programs expect the lowest numbers */
    ROOM = 64   /* descriptors that stay free for a program near its limit */
};

int kept_copy(int number) {
    struct rlimit limit;
    const int copy = fcntl(number, F_DUPFD_CLOEXEC, HIGH);
    if (copy < 0) return -1;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && (rlim_t)copy + ROOM < limit.rlim_cur) return copy;
    close(copy);
    return -1;
}

uint64_t socket_cookie(int number) {
    uint64_t cookie = 0;
    socklen_t size = sizeof cookie;
    return getsockopt(number, SOL_SOCKET, SO_COOKIE, &cookie, &size) == 0 ? cookie : 0;
}

bool kept_socket_is_ours(const struct kept_socket* kept) {
    return socket_cookie(kept->number) == kept->cookie;
}

bool kept_socket_is_recent(struct kept_socket* kept) {
    const int64_t before = kept->used;
    kept->used = kept_now_ms();
    return kept->used - before < NLSH_KEPT_MS;
}

bool kept_socket_is_usable(struct kept_socket* kept, uint64_t thread) {
    return kept_socket_is_recent(kept) && thread_netns_is_current(&kept->netns, thread);
}
