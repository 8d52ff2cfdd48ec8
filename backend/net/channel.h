// One rtnetlink socket (rtnetlink(7)) and the exchanges on it.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "backend/net/message.h"

namespace nlsh {

// The kernel's answer to a request. error is an errno, or 0 for success.
struct Verdict {
    int error = 0;
    std::string extack = {};  // NLMSGERR_ATTR_MSG; empty: the kernel sent none
    bool dump_error_message =
        false;  // a dump ended by NLMSG_ERROR, whose extack text iproute2 doesn't show
    bool interrupted = false;  // NLM_F_DUMP_INTR was seen
    // Failures on our side: the request couldn't be sent, or the answer couldn't be read.
    enum class Fault : uint8_t { none, send, receive } fault = Fault::none;
    bool ok() const { return error == 0; }
};

// The other end of a channel: the kernel, or a fake in tests.
class Transport {
  public:
    virtual ~Transport() = default;
    // 0: sent; otherwise an errno.
    virtual int send(const void* data, size_t size) = 0;
    // Returns the bytes received into `buffer`, or a negative errno: -EMSGSIZE if the datagram was
    // cut, -EAGAIN if there is none.
    virtual int64_t receive(void* buffer, size_t size) = 0;
    // SIOCGIFINDEX and SIOCGIFNAME in the socket's network namespace; 0 or empty: no such device.
    virtual uint32_t ifindex(std::string_view name) = 0;
    virtual std::string ifname(uint32_t ifindex) = 0;
    // An ioctl of netdevice(7) or of a tunnel. 0: done; otherwise an errno.
    virtual int control(unsigned long request, void* argument) = 0;
};

// Not thread-safe: one thread at a time.
class Channel {
  public:
    // Opens a socket in the calling thread's network namespace, or returns an errno. strict:
    // NETLINK_GET_STRICT_CHK.
    static std::expected<Channel, int> open(bool strict);
    // The transport of such a channel.
    static std::expected<std::unique_ptr<Transport>, int> transport(bool strict);
    // The same in two steps, for callers that own the socket. The socket must outlive the
    // transport.
    static std::expected<int, int> socket();
    static std::unique_ptr<Transport> transport_over(int socket, bool strict);
    explicit Channel(std::unique_ptr<Transport> transport);
    // A thread beside the caller's receives long dumps (read_ahead.h).
    void read_ahead() { read_ahead_ = true; }

    using Receive = std::function<bool(const nlmsghdr&)>;  // return false: enough, skip the rest

    // A change: adds NLM_F_ACK and waits for the kernel's verdict.
    Verdict change(Message& message);
    // A change with NLM_F_ECHO. receive gets the first answer: a notification of the change, or the
    // verdict if there was none. A failure after a notification counts as success, because iproute2
    // doesn't read on.
    Verdict echo(Message& message, const Receive& receive);
    // A request with one answer (`ip route get`, RTM_GETLINK of one device): calls receive once, or
    // returns the error.
    Verdict get(Message& message, const Receive& receive);
    // A dump: adds NLM_F_DUMP; calls receive for each object.
    Verdict dump(Message& message, const Receive& receive);

    uint32_t ifindex(std::string_view name) { return transport_->ifindex(name); }
    std::string ifname(uint32_t ifindex) { return transport_->ifname(ifindex); }
    // An answer was lost or unreadable, so the next one may belong to another request: replace the
    // channel.
    bool broken() const { return broken_; }
    int control(unsigned long request, void* argument) {
        return transport_->control(request, argument);
    }
    // Messages sent and received so far, for tests.
    uint64_t messages() const { return messages_; }

  private:
    using Handle = std::function<bool(const nlmsghdr&, Verdict&)>;
    // Sends, then reads datagrams until `handle` returns true. handle gets each message with our
    // sequence number. size: the least size of the buffer.
    Verdict exchange(Message& message, uint16_t flags, size_t size, const Handle& handle);
    // One datagram's bytes in buffer_, or an errno.
    std::expected<std::span<const char>, int> next_datagram(bool dump);
    Verdict lost(Verdict verdict, int error);

    std::unique_ptr<Transport> transport_;
    std::unique_ptr<char[]> buffer_;  // made when first used
    size_t buffer_size_ = 0;
    uint32_t sequence_;
    uint64_t messages_ = 0;
    bool broken_ = false;
    bool handling_ = false;  // a handler has a message that lies in buffer_
    bool read_ahead_ = false;
};

}  // namespace nlsh
