#include "backend/net/listener.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace nlsh {
namespace {

constexpr size_t buffer_size = size_t{256} * 1024;

// The number of the sender's namespace; -1: this namespace, or not asked for.
int32_t namespace_of(msghdr& header) {
    int32_t number = -1;
    for (cmsghdr* control = CMSG_FIRSTHDR(&header); control != nullptr;
         control = CMSG_NXTHDR(&header, control)) {
        const bool told = control->cmsg_level == SOL_NETLINK &&
                          control->cmsg_type == NETLINK_LISTEN_ALL_NSID &&
                          control->cmsg_len == CMSG_LEN(sizeof number);
        if (told) std::memcpy(&number, CMSG_DATA(control), sizeof number);
    }
    return number;
}

}  // namespace

Listener::Listener(Descriptor descriptor)
    : descriptor_(std::move(descriptor)),
      buffer_(std::make_unique_for_overwrite<char[]>(buffer_size)) {}

std::expected<Listener, int> Listener::open(std::span<const uint32_t> groups, bool all_namespaces) {
    const int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (descriptor < 0) return std::unexpected(errno);
    Listener listener{Descriptor(descriptor)};
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
    const int on = 1;
    if (all_namespaces &&
        setsockopt(descriptor, SOL_NETLINK, NETLINK_LISTEN_ALL_NSID, &on, sizeof on) < 0)
        return std::unexpected(errno);
    return listener;
}

std::expected<bool, int> Listener::wait(const Receive& receive) {
    sockaddr_nl sender{};
    iovec part{.iov_base = buffer_.get(), .iov_len = buffer_size};
    alignas(cmsghdr) char control[256];
    msghdr header{};
    header.msg_name = &sender;
    header.msg_namelen = sizeof sender;
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = control;
    header.msg_controllen = sizeof control;
    const ssize_t got = recvmsg(descriptor_.get(), &header, 0);
    if (got < 0) return errno == EINTR ? std::expected<bool, int>(true) : std::unexpected(errno);
    if (sender.nl_pid != 0) return true;  // not from the kernel
    const int32_t nsid = namespace_of(header);
    size_t rest = static_cast<size_t>(got);
    const char* at = buffer_.get();
    while (rest >= NLMSG_HDRLEN) {
        const auto* message = reinterpret_cast<const nlmsghdr*>(at);
        if (message->nlmsg_len < NLMSG_HDRLEN || message->nlmsg_len > rest) break;
        if (!receive(*message, nsid)) return false;
        const size_t step = std::min<size_t>(NLMSG_ALIGN(message->nlmsg_len), rest);
        at += step;
        rest -= step;
    }
    return true;
}

}  // namespace nlsh
