#include "backend/net/channel.h"

#include <linux/if.h>
#include <linux/rtnetlink.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <system_error>
#include <utility>

#include "backend/net/attributes.h"
#include "backend/net/read_ahead.h"

namespace nlsh {
namespace {

// The largest datagram of a dump is 32 KiB (packaging/docs/iproute2-behaviour.md, "Requests");
// single answers may be larger.
constexpr size_t answer_size = size_t{256} * 1024;
// The verdict on a change: the request and a text. A small buffer costs a process no mmap.
constexpr size_t verdict_size = Message::capacity + size_t{8} * 1024;
constexpr int overflows_max = 16;
// After this many datagrams of a dump a reading thread pays: the kernel needs a millisecond for
// them.
constexpr size_t long_dump = 8;
constexpr int large_receive_buffer = 1 << 20;

class KernelTransport final : public Transport {
  public:
    enum class Owner : bool { us, caller };
    KernelTransport(int descriptor, bool strict, Owner owner)
        : descriptor_(descriptor), strict_(strict), owner_(owner) {}
    ~KernelTransport() override {
        if (owner_ == Owner::us) close(descriptor_);
    }
    KernelTransport(const KernelTransport&) = delete;
    KernelTransport& operator=(const KernelTransport&) = delete;

    int send(const void* data, size_t size) override {
        if (!prepared_) prepare(data, size);
        // No destination address: with one the kernel skips a check of the socket's opener.
        while (::send(descriptor_, data, size, MSG_DONTWAIT) < 0) {
            if (errno != EINTR) return errno;
        }
        return 0;
    }

    int64_t receive(void* buffer, size_t size) override {
        for (;;) {
            sockaddr_nl sender{};
            iovec vector{.iov_base = buffer, .iov_len = size};
            msghdr message{};
            message.msg_name = &sender;
            message.msg_namelen = sizeof sender;
            message.msg_iov = &vector;
            message.msg_iovlen = 1;
            // rtnetlink is synchronous: the kernel answers within send(), so an answer that isn't
            // there by now is lost.
            const ssize_t received = recvmsg(descriptor_, &message, MSG_DONTWAIT);
            if (received < 0) {
                if (errno == EINTR) continue;
                return -errno;
            }
            if (sender.nl_pid != 0) continue;  // not from the kernel
            if ((message.msg_flags & MSG_TRUNC) != 0) return -EMSGSIZE;
            return received;
        }
    }

    uint32_t ifindex(std::string_view name) override {
        ifreq request{};
        if (!fill(request, name) || ioctl(descriptor_, SIOCGIFINDEX, &request) < 0) return 0;
        return static_cast<uint32_t>(request.ifr_ifindex);
    }

    std::string ifname(uint32_t ifindex) override {
        ifreq request{};
        request.ifr_ifindex = static_cast<int>(ifindex);
        if (ioctl(descriptor_, SIOCGIFNAME, &request) < 0) return {};
        return {request.ifr_name, strnlen(request.ifr_name, sizeof request.ifr_name)};
    }

    int control(unsigned long request, void* argument) override {
        return ioctl(descriptor_, request, argument) < 0 ? errno : 0;
    }

  private:
    static bool fill(ifreq& request, std::string_view name) {
        if (name.empty() || name.size() >= sizeof request.ifr_name) return false;
        std::memcpy(request.ifr_name, name.data(), name.size());
        return true;
    }

    // Only answers of more than one verdict need this buffer; a process that makes one change
    // doesn't.
    void prepare(const void* data, size_t size) {
        const auto* first = static_cast<const nlmsghdr*>(data);
        const bool several = size > NLMSG_ALIGN(first->nlmsg_len);
        if (!several && !asks(*first)) return;
        const int on = 1;
        setsockopt(descriptor_, SOL_SOCKET, SO_RCVBUF, &large_receive_buffer,
                   sizeof large_receive_buffer);
        if (strict_) setsockopt(descriptor_, SOL_NETLINK, NETLINK_GET_STRICT_CHK, &on, sizeof on);
        prepared_ = true;
    }

    int descriptor_;
    bool strict_;
    Owner owner_;
    bool prepared_ = false;
};

// Whether it isn't a control message of netlink (NLMSG_NOOP, …).
bool is_object(const nlmsghdr& message) {
    return message.nlmsg_type >= NLMSG_MIN_TYPE;
}

std::string extack_text(const nlmsghdr& message, size_t skip) {
    if ((message.nlmsg_flags & NLM_F_ACK_TLVS) == 0) return {};
    const size_t offset = NLMSG_HDRLEN + NLMSG_ALIGN(skip);
    if (message.nlmsg_len < offset) return {};
    const Bytes bytes{reinterpret_cast<const uint8_t*>(&message) + offset,
                      message.nlmsg_len - offset};
    return std::string(Attributes<NLMSGERR_ATTR_MAX>(bytes)[NLMSGERR_ATTR_MSG].string());
}

// The kernel's negative errno as a positive one; EPROTO if it can't be one.
int positive(int error) {
    constexpr int errno_max = 4095;
    return error <= 0 && error >= -errno_max ? -error : EPROTO;
}

// NLMSG_ERROR: struct nlmsgerr, the request (only its header if the kernel capped it), then TLVs.
void read_error(const nlmsghdr& message, Verdict& verdict) {
    if (message.nlmsg_len < NLMSG_LENGTH(sizeof(nlmsgerr))) {
        verdict.error = EPROTO;
        return;
    }
    nlmsgerr error;
    std::memcpy(&error, reinterpret_cast<const char*>(&message) + NLMSG_HDRLEN, sizeof error);
    verdict.error = positive(error.error);
    size_t skip = sizeof error;
    if ((message.nlmsg_flags & NLM_F_CAPPED) == 0 && error.msg.nlmsg_len >= NLMSG_HDRLEN) {
        skip += error.msg.nlmsg_len - NLMSG_HDRLEN;
    }
    verdict.extack = extack_text(message, skip);
}

void read_done(const nlmsghdr& message, Verdict& verdict) {
    if (message.nlmsg_len < NLMSG_LENGTH(sizeof(int))) return;
    int error;
    std::memcpy(&error, reinterpret_cast<const char*>(&message) + NLMSG_HDRLEN, sizeof error);
    verdict.error = error < 0 ? positive(error) : 0;
    if (verdict.error != 0) verdict.extack = extack_text(message, sizeof error);
}

// nullptr: no thread could be started, and the dump is read without one.
std::unique_ptr<ReadAhead> start_reading_ahead(Transport& transport, size_t size) {
    if (std::thread::hardware_concurrency() < 2) return nullptr;
    try {
        return std::make_unique<ReadAhead>(transport, size);
    } catch (const std::system_error&) {
        return nullptr;
    }
}

std::expected<std::span<const char>, int> next_of(ReadAhead& ahead) {
    const auto [bytes, size] = ahead.next();
    if (size > 0) return std::span(bytes, static_cast<size_t>(size));
    return std::unexpected(size == 0 ? ECONNRESET : static_cast<int>(-size));
}

}  // namespace

std::expected<Channel, int> Channel::open(bool strict) {
    auto kernel = transport(strict);
    if (!kernel) return std::unexpected(kernel.error());
    return Channel(std::move(*kernel));
}

std::expected<int, int> Channel::socket() {
    const int descriptor = ::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (descriptor < 0) return std::unexpected(errno);
    const int on = 1;
    setsockopt(descriptor, SOL_NETLINK, NETLINK_EXT_ACK, &on, sizeof on);
    return descriptor;
}

std::expected<std::unique_ptr<Transport>, int> Channel::transport(bool strict) {
    const auto descriptor = socket();
    if (!descriptor) return std::unexpected(descriptor.error());
    return std::make_unique<KernelTransport>(*descriptor, strict, KernelTransport::Owner::us);
}

std::unique_ptr<Transport> Channel::transport_over(int socket, bool strict) {
    return std::make_unique<KernelTransport>(socket, strict, KernelTransport::Owner::caller);
}

Channel::Channel(std::unique_ptr<Transport> transport)
    : transport_(std::move(transport)), sequence_(static_cast<uint32_t>(time(nullptr))) {}

Verdict Channel::lost(Verdict verdict, int error) {
    broken_ = true;
    verdict.error = error;
    verdict.fault = Verdict::Fault::receive;
    return verdict;
}

// The socket's buffer overflowed and dropped something: a notification, an abandoned answer, or our
// answer. A change's verdict may still come.
std::expected<std::span<const char>, int> Channel::next_datagram(bool dump) {
    for (int overflows = 0;; ++overflows) {
        const int64_t received = transport_->receive(buffer_.get(), buffer_size_);
        if (received > 0) return std::span(buffer_.get(), static_cast<size_t>(received));
        if (received == 0) return std::unexpected(ECONNRESET);
        if (received != -ENOBUFS || dump || overflows == overflows_max) {
            return std::unexpected(static_cast<int>(-received));
        }
    }
}

Verdict Channel::exchange(Message& message, uint16_t flags, size_t size, const Handle& handle) {
    // The answer would overwrite the message that a handler still reads.
    if (handling_) return {.error = EBUSY, .fault = Verdict::Fault::send};
    if (buffer_size_ < size) {
        buffer_ = std::make_unique_for_overwrite<char[]>(size);
        buffer_size_ = size;
    }
    nlmsghdr* request = message.header();
    request->nlmsg_flags = static_cast<uint16_t>(request->nlmsg_flags | flags);
    request->nlmsg_seq = ++sequence_;
    ++messages_;
    const int unsent = message.overflow() ? EMSGSIZE : transport_->send(request, message.size());
    Verdict verdict;
    if (unsent != 0) return {.error = unsent, .fault = Verdict::Fault::send};
    broken_ = true;  // until all is read: memory may run out before
    const bool dump = (flags & NLM_F_DUMP) == NLM_F_DUMP;
    std::unique_ptr<ReadAhead> ahead;
    size_t datagrams = 0;
    for (bool done = false; !done;) {
        if (dump && read_ahead_ && ++datagrams == long_dump)
            ahead = start_reading_ahead(*transport_, size);
        const auto datagram = ahead ? next_of(*ahead) : next_datagram(dump);
        if (!datagram) return lost(std::move(verdict), datagram.error());
        const size_t end = datagram->size();
        size_t offset = 0;
        while (!done && end - offset >= NLMSG_HDRLEN) {
            const auto* answer = reinterpret_cast<const nlmsghdr*>(datagram->data() + offset);
            if (answer->nlmsg_len < NLMSG_HDRLEN || answer->nlmsg_len > end - offset) {
                return lost(std::move(verdict), EPROTO);
            }
            ++messages_;
            // Drop answers to an earlier, abandoned request.
            if (answer->nlmsg_seq == sequence_) {
                handling_ = true;  // and stays so if the handler throws: the channel is broken then
                done = handle(*answer, verdict);
                handling_ = false;
            }
            offset += NLMSG_ALIGN(answer->nlmsg_len);
            if (offset > end) break;
        }
    }
    broken_ = false;
    return verdict;
}

Verdict Channel::change(Message& message) {
    return exchange(message, NLM_F_ACK, verdict_size, [](const nlmsghdr& answer, Verdict& verdict) {
        if (answer.nlmsg_type != NLMSG_ERROR) return false;
        read_error(answer, verdict);
        return true;
    });
}

Verdict Channel::echo(Message& message, const Receive& give) {
    bool told = false;
    const auto handle = [&](const nlmsghdr& answer, Verdict& verdict) {
        const bool end = answer.nlmsg_type == NLMSG_ERROR;
        if (end && !told) read_error(answer, verdict);
        if (!told && verdict.ok()) give(answer);
        told = true;
        return end;
    };
    return exchange(message, NLM_F_ACK | NLM_F_ECHO, answer_size, handle);
}

Verdict Channel::get(Message& message, const Receive& give) {
    return exchange(message, 0, answer_size, [&](const nlmsghdr& answer, Verdict& verdict) {
        if (answer.nlmsg_type == NLMSG_ERROR) {
            read_error(answer, verdict);
        } else if (is_object(answer)) {
            give(answer);
        } else {
            verdict.error = EPROTO;
        }
        return true;
    });
}

Verdict Channel::dump(Message& message, const Receive& give) {
    bool wanted = true;
    return exchange(message, NLM_F_DUMP, answer_size,
                    [&](const nlmsghdr& answer, Verdict& verdict) {
                        if ((answer.nlmsg_flags & NLM_F_DUMP_INTR) != 0) verdict.interrupted = true;
                        if (answer.nlmsg_type == NLMSG_DONE) {
                            read_done(answer, verdict);
                            return true;
                        }
                        if (answer.nlmsg_type == NLMSG_ERROR) {
                            read_error(answer, verdict);
                            verdict.dump_error_message = true;
                            return true;
                        }
                        // A reader that has enough still drains the dump, because the socket serves
                        // the next command.
                        if (wanted && is_object(answer)) wanted = give(answer);
                        return false;
                    });
}

}  // namespace nlsh
