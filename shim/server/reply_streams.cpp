#include "shim/server/reply_streams.h"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "shim/engine/descriptor_output.h"
#include "shim/wire/codec.h"

namespace nlsh {
namespace {

// The client waits for exactly this, so only one that was stopped takes longer.
constexpr int descriptors_wait_ms = 10'000;

}  // namespace

bool ReplyStreams::write(bool error, std::string_view bytes) {
    if (bytes.empty()) return true;
    if (!error && kind_ == NLSH_POPEN && !asked_ &&
        held_.size() + bytes.size() <= NLSH_OUTPUT_MAX) {
        held_.append(bytes);
        return true;
    }
    if (!ask_for_descriptors()) return false;
    return write_to(error ? err_ : out_, bytes);
}

bool ReplyStreams::write_to(const Descriptor& target, std::string_view bytes) {
    DescriptorOutput output(target.get());
    const bool written = output.write(bytes);
    if (!written && errno == EPIPE) broken_ = true;
    return written;
}

bool ReplyStreams::ask_for_descriptors() {
    if (asked_) return static_cast<bool>(out_);
    asked_ = true;
    const std::string frame = encode_reply({.type = NLSH_STREAM});
    if (send(connection_, frame.data(), frame.size(), MSG_NOSIGNAL) < 0) return false;
    if (!receive_descriptors()) return false;
    const std::string held = std::move(held_);
    held_.clear();
    return held.empty() || write_to(out_, held);
}

bool ReplyStreams::receive_descriptors() {
    pollfd wait{connection_, POLLIN, 0};
    int ready = -1;
    while ((ready = poll(&wait, 1, descriptors_wait_ms)) < 0 && errno == EINTR) {
    }
    if (ready <= 0) return false;
    nlsh_streams header{};
    iovec part{&header, sizeof header};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(2 * sizeof(int))> control{};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t got = recvmsg(connection_, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    std::array<int, 2> descriptors{-1, -1};
    const cmsghdr* rights = got > 0 ? CMSG_FIRSTHDR(&message) : nullptr;
    if (rights != nullptr && rights->cmsg_type == SCM_RIGHTS) {
        const size_t size = std::min<size_t>(rights->cmsg_len - CMSG_LEN(0), sizeof descriptors);
        std::memcpy(descriptors.data(), CMSG_DATA(rights), size);
    }
    Descriptor out(descriptors[0]);
    Descriptor err(descriptors[1]);
    if (got != sizeof header || header.magic != NLSH_MAGIC || !out || !err) return false;
    sigpipe_ignored_ = (header.flags & NLSH_SIGPIPE_IGNORED) != 0;
    out_ = std::move(out);
    err_ = std::move(err);
    return true;
}

void ReplyStreams::close() {
    out_.reset();
    err_.reset();
}

}  // namespace nlsh
