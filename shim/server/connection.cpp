#include "shim/server/connection.h"

#include <poll.h>
#include <sys/time.h>

#include <cerrno>

#include "shim/server/netns.h"
#include "shim/wire/unix_socket.h"

namespace nlsh {
namespace {

// A client sends right after it has connected; one that doesn't is stopped or hostile.
constexpr int request_wait_ms = 1000;

}  // namespace

ssize_t Connection::receive_first(std::span<char> frame) {
    constexpr int flags = MSG_DONTWAIT | MSG_TRUNC;
    ssize_t got = receive_with_descriptors(get(), frame, streams_, flags);
    if (got < 0 && errno == EAGAIN) {
        pollfd wait{get(), POLLIN, 0};
        if (poll(&wait, 1, request_wait_ms) <= 0) return -1;
        got = receive_with_descriptors(get(), frame, streams_, flags);
    }
    socklen_t size = sizeof sender_;
    if (got > 0 && getsockopt(get(), SOL_SOCKET, SO_PEERCRED, &sender_, &size) != 0) return -1;
    peer_ = sender_.pid;
    return got;
}

// With the sender's credentials, as they are when it sends.
ssize_t Connection::receive_another(std::span<char> frame) {
    sender_ = {};
    return receive_with_descriptors(get(), frame, streams_, MSG_TRUNC, &sender_);
}

ssize_t Connection::receive(std::span<char> frame) {
    return kept_ ? receive_another(frame) : receive_first(frame);
}

bool Connection::withdrawn() const {
    char byte;
    return recv(get(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0;
}

uint64_t Connection::netns() {
    if (netns_ == 0) netns_ = netns_of(get());
    return netns_;
}

bool Connection::keep() {
    if (kept_) return true;
    const int on = 1;
    const timeval wait{.tv_sec = NLSH_KEPT_MS / 1000, .tv_usec = NLSH_KEPT_MS % 1000 * 1000};
    kept_ = setsockopt(get(), SOL_SOCKET, SO_PASSCRED, &on, sizeof on) == 0 &&
            setsockopt(get(), SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait) == 0;
    return kept_;
}

bool Connection::reply(const Reply& reply) const {
    const std::string frame = encode_reply(reply);
    return send(get(), frame.data(), frame.size(), MSG_NOSIGNAL | MSG_DONTWAIT) >= 0;
}

}  // namespace nlsh
