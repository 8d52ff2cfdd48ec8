#include "backend/net/listener.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

namespace nlsh {
namespace {

constexpr size_t buffer_size = size_t{256} * 1024;

}  // namespace

Listener::Listener(int descriptor)
    : descriptor_(descriptor), buffer_(std::make_unique_for_overwrite<char[]>(buffer_size)) {}

Listener::~Listener() {
    if (descriptor_ >= 0) close(descriptor_);
}

std::expected<Listener, int> Listener::open(std::span<const uint32_t> groups) {
    const int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (descriptor < 0) return std::unexpected(errno);
    Listener listener(descriptor);
    const int receive_buffer = 1 << 20;
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    sockaddr_nl address{};
    address.nl_family = AF_NETLINK;
    if (bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) < 0)
        return std::unexpected(errno);
    for (const uint32_t group : groups) {
        if (setsockopt(descriptor, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &group, sizeof group) < 0)
            return std::unexpected(errno);
    }
    return listener;
}

std::expected<bool, int> Listener::wait(const Receive& receive) {
    sockaddr_nl sender{};
    socklen_t sender_size = sizeof sender;
    const ssize_t got = recvfrom(descriptor_, buffer_.get(), buffer_size, 0,
                                 reinterpret_cast<sockaddr*>(&sender), &sender_size);
    if (got < 0) return errno == EINTR ? std::expected<bool, int>(true) : std::unexpected(errno);
    if (sender.nl_pid != 0) return true;  // not from the kernel
    size_t rest = static_cast<size_t>(got);
    const char* at = buffer_.get();
    while (rest >= NLMSG_HDRLEN) {
        const auto* message = reinterpret_cast<const nlmsghdr*>(at);
        if (message->nlmsg_len < NLMSG_HDRLEN || message->nlmsg_len > rest) break;
        if (!receive(*message)) return false;
        const size_t step = std::min<size_t>(NLMSG_ALIGN(message->nlmsg_len), rest);
        at += step;
        rest -= step;
    }
    return true;
}

}  // namespace nlsh
