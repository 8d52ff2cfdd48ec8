#include "shim/server/probe.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "shim/server/descriptor.h"
#include "shim/wire/wire.h"

namespace nlsh {

bool answers(const std::string& prefix, std::chrono::microseconds limit) {
    const std::string path = prefix + ".0";
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) return false;
    path.copy(address.sun_path, path.size());
    const Descriptor socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        return false;
    const nlsh_request nothing{};  // no magic number: refused before anything is looked at
    if (send(socket.get(), &nothing, sizeof nothing, MSG_NOSIGNAL) < 0) return false;
    pollfd wait{socket.get(), POLLIN, 0};
    const auto time = std::chrono::duration_cast<std::chrono::milliseconds>(limit);
    nlsh_reply reply{};
    return poll(&wait, 1, static_cast<int>(time.count())) == 1 &&
           recv(socket.get(), &reply, sizeof reply, 0) >= static_cast<ssize_t>(sizeof reply) &&
           reply.type == NLSH_DECLINED;
}

}  // namespace nlsh
