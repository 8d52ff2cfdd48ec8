#include "shim/server/connection.h"

#include <poll.h>
#include <sys/time.h>
#include <sys/uio.h>

#include <cerrno>

#include "shim/server/netns.h"
#include "shim/wire/unix_socket.h"

namespace nlsh {
namespace {

// A client sends right after it has connected; one that doesn't is stopped or hostile.
constexpr int request_wait_ms = 1000;

}  // namespace

Connection::Connection(int number) : descriptor_(number) {
    socklen_t size = sizeof peer_;
    if (getsockopt(get(), SOL_SOCKET, SO_PEERCRED, &peer_, &size) != 0) peer_ = {};
}

// With the sender's credentials, as they are when it sends (the listening socket asks for them).
ssize_t Connection::receive_now(std::span<char> frame, int flags) {
    sender_ = {};
    return receive_with_descriptors(get(), frame, streams_, MSG_TRUNC | flags, &sender_);
}

ssize_t Connection::receive(std::span<char> frame) {
    if (kept_) return receive_now(frame, 0);
    const ssize_t got = receive_now(frame, MSG_DONTWAIT);
    if (got >= 0 || errno != EAGAIN) return got;
    pollfd wait{get(), POLLIN, 0};
    if (poll(&wait, 1, request_wait_ms) <= 0) return -1;
    return receive_now(frame, MSG_DONTWAIT);
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
    const timeval wait{.tv_sec = NLSH_KEPT_MS / 1000, .tv_usec = NLSH_KEPT_MS % 1000 * 1000};
    kept_ = setsockopt(get(), SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait) == 0;
    return kept_;
}

bool Connection::reply(const Reply& reply) const {
    nlsh_reply header = reply_header(reply);
    std::array<iovec, 3> parts{{{&header, sizeof header},
                                {const_cast<char*>(reply.output.data()), header.output_size},
                                {const_cast<char*>(reply.text.data()), header.text_size}}};
    msghdr message{};
    message.msg_iov = parts.data();
    message.msg_iovlen = parts.size();
    return sendmsg(get(), &message, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0;
}

}  // namespace nlsh
