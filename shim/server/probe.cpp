#include "shim/server/probe.h"

#include <poll.h>
#include <sys/socket.h>

#include "shim/wire/unix_socket.h"
#include "shim/wire/wire.h"

namespace nlsh {

bool answers(const std::string& prefix, std::chrono::microseconds limit) {
    const auto socket = connect_unix(prefix + ".0", {.flags = SOCK_NONBLOCK});
    if (!socket) return false;
    const nlsh_request nothing{};  // no magic number: refused before any check
    if (send(socket->get(), &nothing, sizeof nothing, MSG_NOSIGNAL) < 0) return false;
    pollfd wait{socket->get(), POLLIN, 0};
    const auto time = std::chrono::duration_cast<std::chrono::milliseconds>(limit);
    nlsh_reply reply{};
    return poll(&wait, 1, static_cast<int>(time.count())) == 1 &&
           recv(socket->get(), &reply, sizeof reply, 0) >= static_cast<ssize_t>(sizeof reply) &&
           reply.type == NLSH_DECLINED;
}

}  // namespace nlsh
