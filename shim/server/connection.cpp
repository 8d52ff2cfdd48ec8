#include "shim/server/connection.h"

#include <poll.h>
#include <sys/time.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "shim/server/netns.h"

namespace nlsh {
namespace {

// A client sends right after it has connected; one that doesn't is stopped or hostile.
constexpr int request_wait_ms = 1000;

}  // namespace

ssize_t Connection::receive_first(std::span<char> frame) {
    ssize_t got = recv(get(), frame.data(), frame.size(), MSG_DONTWAIT | MSG_TRUNC);
    if (got < 0 && errno == EAGAIN) {
        pollfd wait{get(), POLLIN, 0};
        if (poll(&wait, 1, request_wait_ms) <= 0) return -1;
        got = recv(get(), frame.data(), frame.size(), MSG_DONTWAIT | MSG_TRUNC);
    }
    socklen_t size = sizeof sender_;
    if (got > 0 && getsockopt(get(), SOL_SOCKET, SO_PEERCRED, &sender_, &size) != 0) return -1;
    peer_ = sender_.pid;
    return got;
}

// With the sender's credentials, as they are when it sends.
ssize_t Connection::receive_another(std::span<char> frame) {
    iovec part{frame.data(), frame.size()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(ucred))> control{};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t got = recvmsg(get(), &message, MSG_TRUNC | MSG_CMSG_CLOEXEC);
    if (got <= 0) return got;
    sender_ = {};
    const cmsghdr* header = CMSG_FIRSTHDR(&message);
    if (header != nullptr && header->cmsg_type == SCM_CREDENTIALS &&
        header->cmsg_len == CMSG_LEN(sizeof sender_)) {
        std::memcpy(&sender_, CMSG_DATA(header), sizeof sender_);
    }
    return got;
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
