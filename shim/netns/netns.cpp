#include "shim/netns/netns.h"
#include "backend/net/own_thread.h"

#include <fcntl.h>
#include <linux/sockios.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <cstdlib>

#ifndef SO_NETNS_COOKIE
#define SO_NETNS_COOKIE 71
#endif

namespace nlsh {

Descriptor open_netns_of(int socket) {
    return Descriptor(ioctl(socket, SIOCGSKNS));
}

uint64_t netns_of(int socket) {
    uint64_t cookie = 0;
    socklen_t size = sizeof cookie;
    if (getsockopt(socket, SOL_SOCKET, SO_NETNS_COOKIE, &cookie, &size) == 0) return cookie;
    struct stat status;
    const Descriptor netns = open_netns_of(socket);
    return netns && fstat(netns.get(), &status) == 0 ? status.st_ino : 0;
}

Descriptor open_own_netns() {
    return Descriptor(open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC));
}

uint64_t own_netns() {
    const Descriptor socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    return socket ? netns_of(socket.get()) : 0;
}

Descriptor fresh_netns() {
    Descriptor netns;
    run_on_own_thread([&netns] {
        if (unshare(CLONE_NEWNET) == 0) netns = open_own_netns();
    });
    return netns;
}

NetnsGuard::NetnsGuard(int there, int back)
    : back_(back), entered_(setns(there, CLONE_NEWNET) == 0) {}

NetnsGuard::~NetnsGuard() {
    if (entered_ && setns(back_, CLONE_NEWNET) != 0) std::abort();
}

}  // namespace nlsh
