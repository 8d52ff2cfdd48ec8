#include "shim/peer/callers_socket.h"

#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sys/socket.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>
#include <vector>

#include "shim/journal/journaled.h"
#include "shim/netns/netns.h"

#ifndef RTEXT_FILTER_NAME_ONLY
#define RTEXT_FILTER_NAME_ONLY (1 << 8)  // Linux 7.2 answers without its lock of links
#endif

namespace nlsh {
namespace {

// For one request's answers, which the kernel gives at once. Only a caller who fills the queue
// keeps a thread busy for so long.
constexpr std::chrono::seconds patience{10};

bool is_route_socket(int socket) {
    const auto option = [socket](int name) {
        int value = -1;
        socklen_t size = sizeof value;
        return getsockopt(socket, SOL_SOCKET, name, &value, &size) == 0 ? value : -1;
    };
    return option(SO_DOMAIN) == AF_NETLINK && option(SO_PROTOCOL) == NETLINK_ROUTE;
}

// Clears the mark, on all copies of the socket: it counts once.
bool take_mark(int socket) {
    int mark = 0;
    socklen_t size = sizeof mark;
    constexpr int off = 0;
    return getsockopt(socket, SOL_SOCKET, SO_DEBUG, &mark, &size) == 0 && mark != 0 &&
           setsockopt(socket, SOL_SOCKET, SO_DEBUG, &off, sizeof off) == 0;
}

// Reading drives an unfinished dump to its end. False: somebody fills the queue.
bool empty_queue(int socket) {
    constexpr int datagrams_max = 1 << 16;
    std::vector<char> buffer(size_t{64} << 10);
    for (int i = 0; i < datagrams_max; ++i)
        if (recv(socket, buffer.data(), buffer.size(), MSG_DONTWAIT) < 0 && errno == EAGAIN)
            return true;
    return false;
}

class CallersTransport final : public Transport {
  public:
    CallersTransport(int socket, bool strict, const bool& may_load_modules)
        : kernel_(Channel::transport_over(socket, strict)), may_load_modules_(may_load_modules) {}

    int send(const void* data, size_t size) override {
        deadline_ = Clock::now() + patience;
        return kernel_->send(data, size);
    }

    int64_t receive(void* buffer, size_t size) override {
        return Clock::now() < deadline_ ? kernel_->receive(buffer, size) : -EAGAIN;
    }

    uint32_t ifindex(std::string_view name) override {
        return may_load_modules_ ? kernel_->ifindex(name) : ask_for_index(name);
    }
    std::string ifname(uint32_t ifindex) override { return kernel_->ifname(ifindex); }
    // For a changing ioctl the kernel checks only the server's rights.
    int control(unsigned long, void*) override { return EPERM; }

  private:
    using Clock = std::chrono::steady_clock;

    // Like SIOCGIFINDEX, which loads modules.
    uint32_t ask_for_index(std::string_view name) {
        if (name.empty() || name.size() >= IFNAMSIZ) return 0;
        Message request(RTM_GETLINK, 0, ifinfomsg{});
        request.put_string(IFLA_IFNAME, name);
        request.put_u32(IFLA_EXT_MASK, RTEXT_FILTER_NAME_ONLY | RTEXT_FILTER_SKIP_STATS);
        request.header()->nlmsg_seq = ++sequence_;
        if (send(request.header(), request.size()) != 0) return 0;
        buffer_.resize(size_t{64} << 10);
        for (;;) {
            const int64_t got = receive(buffer_.data(), buffer_.size());
            if (got < static_cast<int64_t>(NLMSG_HDRLEN)) return 0;
            const auto* answer = reinterpret_cast<const nlmsghdr*>(buffer_.data());
            if (answer->nlmsg_seq != sequence_) continue;
            const bool link = answer->nlmsg_type == RTM_NEWLINK &&
                              got >= static_cast<int64_t>(NLMSG_LENGTH(sizeof(ifinfomsg)));
            if (!link) return 0;
            ifinfomsg header;
            std::memcpy(&header, buffer_.data() + NLMSG_HDRLEN, sizeof header);
            return static_cast<uint32_t>(header.ifi_index);
        }
    }

    const std::unique_ptr<Transport> kernel_;
    const bool& may_load_modules_;
    Clock::time_point deadline_;
    uint32_t sequence_ = uint32_t{1} << 31;  // distinct from a channel's
    std::vector<char> buffer_;
};

}  // namespace

std::unique_ptr<CallersSocket> CallersSocket::take(Descriptor socket, Journal* journal) {
    if (!socket || !is_route_socket(socket.get())) return nullptr;
    // Once connected, the socket refuses messages from other processes than the kernel.
    const sockaddr_nl kernel{.nl_family = AF_NETLINK, .nl_pad = 0, .nl_pid = 0, .nl_groups = 0};
    const int on = 1;
    if (connect(socket.get(), reinterpret_cast<const sockaddr*>(&kernel), sizeof kernel) != 0 ||
        setsockopt(socket.get(), SOL_NETLINK, NETLINK_EXT_ACK, &on, sizeof on) != 0)
        return nullptr;
    const bool marked = take_mark(socket.get());
    std::unique_ptr<CallersSocket> taken(new CallersSocket(std::move(socket), journal));
    taken->was_marked_ = marked;
    return taken;
}

// No thread enters the namespace.
CallersSocket::CallersSocket(Descriptor socket, Journal* journal)
    : socket_(std::move(socket)),
      journal_(journal),
      netns_(netns_of(socket_.get())),
      session_(
          Session::Threads::some, [this](bool strict) { return open(strict); },
          [] { return false; }) {}

// Opens once only: after a lost answer, the next answer may belong to an earlier request.
std::expected<Channel, int> CallersSocket::open(bool strict) {
    if (!strict || std::exchange(opened_, true)) return std::unexpected(EBADF);
    return Channel(
        journaled_over(std::make_unique<CallersTransport>(socket_.get(), strict, may_load_modules_),
                       socket_.get(), journal_, Journal::Owner::caller));
}

std::unique_ptr<Transport> go_on_over_callers(int socket) {
    static constexpr bool may_load_modules = false;
    if (!empty_queue(socket)) return nullptr;
    return std::make_unique<CallersTransport>(socket, true, may_load_modules);
}

}  // namespace nlsh
