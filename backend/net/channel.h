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

// The kernel's answer to a request. error is an errno, 0 for success.
struct Verdict {
    int error = 0;
    std::string extack = {};  // NLMSGERR_ATTR_MSG, empty when the kernel sent none
    bool dump_error_message =
        false;  // a dump ended by NLMSG_ERROR, whose extack text iproute2 doesn't show
    bool interrupted = false;  // NLM_F_DUMP_INTR was seen
    // Not the kernel's word: the request couldn't be sent, or the answer couldn't be read.
    enum class Fault : uint8_t { none, send, receive } fault = Fault::none;
    bool ok() const { return error == 0; }
};

// The transport beneath a channel: the kernel, or a fake one in tests that injects faults.
class Transport {
  public:
    virtual ~Transport() = default;
    // errno, 0 when sent.
    virtual int send(const void* data, size_t size) = 0;
    // Bytes received into `buffer`, or a negative errno. -EMSGSIZE when it had to be cut, -EAGAIN
    // when nothing comes.
    virtual int64_t receive(void* buffer, size_t size) = 0;
    // SIOCGIFINDEX / SIOCGIFNAME in the socket's network namespace; 0 or empty when there is none.
    virtual uint32_t ifindex(std::string_view name) = 0;
    virtual std::string ifname(uint32_t ifindex) = 0;
    // An ioctl of netdevice(7) or a tunnel's; errno, 0 when done.
    virtual int control(unsigned long request, void* argument) = 0;
};

// Not thread-safe: one thread at a time.
class Channel {
  public:
    // A socket in the calling thread's network namespace; errno on failure. strict:
    // NETLINK_GET_STRICT_CHK.
    static std::expected<Channel, int> open(bool strict);
    // What such a channel sends over.
    static std::expected<std::unique_ptr<Transport>, int> transport(bool strict);
    // The same in two steps, for callers that own the socket: it must outlive the transport.
    static std::expected<int, int> socket();
    static std::unique_ptr<Transport> transport_over(int socket, bool strict);
    explicit Channel(std::unique_ptr<Transport> transport);
    // Long dumps are received by a thread beside the caller's (read_ahead.h).
    void read_ahead() { read_ahead_ = true; }

    using Receive = std::function<bool(const nlmsghdr&)>;  // false: enough, skip the rest

    // A change: adds NLM_F_ACK and waits for the kernel's verdict.
    Verdict change(Message& message);
    // The same with NLM_F_ECHO: receive gets the first answer, which is a notification of the
    // change, or its verdict when there was none. What fails after a notification counts as done,
    // as for iproute2, which doesn't read on.
    Verdict echo(Message& message, const Receive& receive);
    // One answer (`ip route get`, RTM_GETLINK of one device): calls receive once, or gives the
    // error.
    Verdict get(Message& message, const Receive& receive);
    // A dump: adds NLM_F_DUMP; calls receive for each object.
    Verdict dump(Message& message, const Receive& receive);

    uint32_t ifindex(std::string_view name) { return transport_->ifindex(name); }
    std::string ifname(uint32_t ifindex) { return transport_->ifname(ifindex); }
    // An answer was lost or couldn't be read, so the next one may belong to another request: the
    // channel has to be replaced.
    bool broken() const { return broken_; }
    int control(unsigned long request, void* argument) {
        return transport_->control(request, argument);
    }
    // Messages sent and received so far: tests assert on their number.
    uint64_t messages() const { return messages_; }

  private:
    using Handle = std::function<bool(const nlmsghdr&, Verdict&)>;
    // Sends, then reads datagrams until `handle` says done. handle gets each message of our
    // sequence number. size: of the buffer at least.
    Verdict exchange(Message& message, uint16_t flags, size_t size, const Handle& handle);
    // One datagram's bytes, in buffer_, or an errno.
    std::expected<std::span<const char>, int> next_datagram(bool dump);
    Verdict lost(Verdict verdict, int error);

    std::unique_ptr<Transport> transport_;
    std::unique_ptr<char[]> buffer_;  // made on first use
    size_t buffer_size_ = 0;
    uint32_t sequence_;
    uint64_t messages_ = 0;
    bool broken_ = false;
    bool read_ahead_ = false;
};

}  // namespace nlsh
