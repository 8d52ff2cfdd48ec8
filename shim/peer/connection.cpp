#include "shim/peer/connection.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "shim/netns/netns.h"
#include "shim/process/pidfd_calls.h"

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

namespace nlsh {
namespace {

// A client sends right after connecting; a client that doesn't is stopped or hostile.
constexpr int request_wait_ms = 1000;

bool limit_wait(int socket) {
    const timeval wait{.tv_sec = NLSH_KEPT_MS / 1000, .tv_usec = NLSH_KEPT_MS % 1000 * 1000};
    return setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait) == 0;
}

// Attaches a descriptor to a message. Must outlive the message.
class DescriptorMessage {
  public:
    DescriptorMessage(msghdr& message, int descriptor) {
        message.msg_control = control_;
        message.msg_controllen = sizeof control_;
        cmsghdr* rights = CMSG_FIRSTHDR(&message);
        rights->cmsg_level = SOL_SOCKET;
        rights->cmsg_type = SCM_RIGHTS;
        rights->cmsg_len = CMSG_LEN(sizeof descriptor);
        std::memcpy(CMSG_DATA(rights), &descriptor, sizeof descriptor);
    }

  private:
    alignas(cmsghdr) char control_[CMSG_SPACE(sizeof(int))]{};
};

}  // namespace

Connection::Connection(int number, Journal* journal) : journal_(journal), descriptor_(number) {
    if (journal_ != nullptr) journal_->serve(number);
    socklen_t size = sizeof peer_;
    if (getsockopt(get(), SOL_SOCKET, SO_PEERCRED, &peer_, &size) != 0) peer_ = {};
}

// Leave the journal before the descriptor is closed and its number reused.
Connection::~Connection() {
    if (journal_ != nullptr) journal_->serve(-1);
}

// With the sender's credentials at the time of sending (the listening socket asks for them).
ssize_t Connection::receive_now(std::span<char> frame, int flags) {
    sender_ = {};
    return receive_with_descriptors(get(), frame, came_, MSG_TRUNC | flags, &sender_, &lost_);
}

ssize_t Connection::receive(std::span<char> frame) {
    if (journal_ != nullptr) journal_->expect();
    const ssize_t got = receive_next(frame);
    if (journal_ != nullptr && came_[0]) journal_->came_with(came_[0].get(), came_[1].get());
    return got;
}

bool Connection::take_socket(const RequestView& request) {
    const bool behind_streams = request.says(NLSH_STREAMS | NLSH_STDERR);
    socket_ = CallersSocket::take(std::move(came_[behind_streams ? 2 : 0]), journal_);
    return socket_ != nullptr;
}

void Connection::take_over_streams(const Journal& journal) {
    const auto [first, second] = journal.streams();
    came_ = {Descriptor(first), Descriptor(second), Descriptor()};
}

ssize_t Connection::receive_next(std::span<char> frame) {
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

Descriptor Connection::open_netns() const {
    if (netns_file_) return Descriptor(fcntl(netns_file_.get(), F_DUPFD_CLOEXEC, 0));
    return open_netns_of(get());
}

// Before Linux 6.5, opens the process by its number: the peer waits for our reply. If the peer has
// died, nobody reads that reply.
Descriptor Connection::open_peer() const {
    if (peer_process_) return Descriptor(fcntl(peer_process_.get(), F_DUPFD_CLOEXEC, 0));
    int process = -1;
    socklen_t size = sizeof process;
    if (getsockopt(get(), SOL_SOCKET, SO_PEERPIDFD, &process, &size) == 0)
        return Descriptor(process);
    return open_process(peer_.pid);
}

const Descriptor& Connection::peer_process() {
    if (!peer_process_) peer_process_ = open_peer();
    return peer_process_;
}

bool Connection::keep() {
    if (!kept_) kept_ = limit_wait(get());
    return kept_;
}

bool Connection::keep_apart() {
    if (kept_) return true;
    apart_ = make_sockets(SOCK_SEQPACKET);
    if (!apart_) return false;
    const int on = 1;
    netns_file_ = open_netns();
    peer_process();
    kept_ = netns_file_ && peer_process_ && netns() != 0 && limit_wait(apart_.near.get()) &&
            setsockopt(apart_.near.get(), SOL_SOCKET, SO_PASSCRED, &on, sizeof on) == 0;
    if (!kept_) apart_ = {};
    return kept_;
}

bool Connection::send_now(const msghdr& message) const {
    ssize_t sent = -1;
    while ((sent = sendmsg(get(), &message, MSG_NOSIGNAL | MSG_DONTWAIT)) < 0 && errno == EINTR) {
    }
    return sent >= 0;
}

bool Connection::reply(const Reply& reply) {
    nlsh_reply header = reply_header(reply);
    if (apart_.far) header.flags |= NLSH_KEPT_APART;
    std::array<iovec, 3> parts{{{&header, sizeof header},
                                {const_cast<char*>(reply.output.data()), header.output_size},
                                {const_cast<char*>(reply.text.data()), header.text_size}}};
    msghdr message{};
    message.msg_iov = parts.data();
    message.msg_iovlen = parts.size();
    if (journal_ != nullptr) journal_->replying(header);
    if (!apart_.far) {
        const bool sent = send_now(message);
        if (journal_ != nullptr) journal_->replied();
        return sent;
    }
    const DescriptorMessage descriptor(message, apart_.far.get());
    const bool sent = send_now(message);
    if (journal_ != nullptr) journal_->serve(apart_.near.get());
    descriptor_ = std::move(apart_.near);
    apart_.far.reset();
    return sent;
}

}  // namespace nlsh
