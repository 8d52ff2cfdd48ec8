#include "preload/caller/own_socket.h"

#include <linux/netlink.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "shim/netns/kept_socket.h"

static _Atomic bool wanted, of_user;

static bool is_filtered(void) {
    return prctl(PR_GET_SECCOMP) != 0;
}

bool own_socket_is_needed(void) {
    const bool user = geteuid() != 0;
    atomic_store_explicit(&of_user, user, memory_order_relaxed);
    return user || atomic_load(&wanted) || is_filtered();
}

bool own_socket_is_of_user(void) {
    return atomic_load_explicit(&of_user, memory_order_relaxed);
}

static bool is_roots(int server) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    return getsockopt(server, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == 0;
}

uint64_t own_socket_mark(int netlink, int server) {
    const int on = 1;
    const bool marked = own_socket_is_of_user() && is_roots(server) &&
                        setsockopt(netlink, SOL_SOCKET, SO_DEBUG, &on, sizeof on) == 0;
    return marked ? socket_cookie(netlink) : 0;
}

void own_socket_unmark(int netlink, uint64_t cookie) {
    const int off = 0;
    if (socket_cookie(netlink) != cookie) return;
    setsockopt(netlink, SOL_SOCKET, SO_DEBUG, &off, sizeof off);
    close(netlink);
}

bool own_socket_is_wanted(const struct nlsh_reply* reply, bool passed) {
    if (passed || reply->type != NLSH_DECLINED || !(reply->flags & NLSH_PASS_SOCKET)) return false;
    atomic_store(&wanted, true);
    return true;
}

/* Makes a socket in this process: the probe of rights (rights.h) has already made one in a child.
 */
static bool can_be_made(void) {
    const int made = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (made >= 0) close(made);
    return made >= 0;
}

bool own_socket_may_be_made(void) {
    static _Thread_local __attribute__((tls_model("initial-exec"))) bool known;
    if (!known) known = !is_filtered() || can_be_made();
    return known;
}
