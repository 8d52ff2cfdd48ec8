#include "shim/wire/unix_socket.h"

#include <poll.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace nlsh {
namespace {

constexpr size_t sent_size = 2 * sizeof(int);
constexpr size_t rights_size = received_max * sizeof(int);

// A message's header, with room for descriptors and for the sender's credentials (SO_PASSCRED).
struct Envelope {
    Envelope(const void* data, size_t size, size_t room) : part{const_cast<void*>(data), size} {
        header.msg_iov = &part;
        header.msg_iovlen = 1;
        header.msg_control = control.data();
        header.msg_controllen = room;
    }
    Envelope(const Envelope&) = delete;
    Envelope& operator=(const Envelope&) = delete;

    iovec part;
    alignas(
        cmsghdr) std::array<char, CMSG_SPACE(rights_size) + CMSG_SPACE(sizeof(ucred))> control{};
    msghdr header{};
};

void take_rights(const cmsghdr& rights, Received& descriptors) {
    const size_t count = (rights.cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; ++i) {
        int number = -1;
        std::memcpy(&number, CMSG_DATA(&rights) + i * sizeof number, sizeof number);
        Descriptor descriptor(number);  // closes descriptors beyond the last place
        if (i < descriptors.size()) descriptors[i] = std::move(descriptor);
    }
}

}  // namespace

std::optional<sockaddr_un> unix_address(std::string_view path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) return {};
    path.copy(address.sun_path, path.size());
    return address;
}

std::expected<Descriptor, int> connect_unix(std::string_view path,
                                            const UnixConnection& connection) {
    const auto address = unix_address(path);
    if (!address) return std::unexpected(ENAMETOOLONG);
    Descriptor socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | connection.flags, 0));
    if (!socket) return std::unexpected(errno);
    const timeval& patience = connection.patience;
    if (patience.tv_sec != 0 || patience.tv_usec != 0) {
        setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        setsockopt(socket.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    }
    const auto* name = reinterpret_cast<const sockaddr*>(&*address);
    if (connect(socket.get(), name, sizeof *address) != 0) return std::unexpected(errno);
    return socket;
}

bool send_with_descriptors(int socket, std::string_view bytes,
                           const std::array<int, 2>& descriptors) {
    Envelope envelope(bytes.data(), bytes.size(), CMSG_SPACE(sent_size));
    cmsghdr* rights = CMSG_FIRSTHDR(&envelope.header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sent_size);
    std::memcpy(CMSG_DATA(rights), descriptors.data(), sent_size);
    ssize_t sent = -1;
    while ((sent = sendmsg(socket, &envelope.header, MSG_NOSIGNAL)) < 0 && errno == EINTR) {
    }
    return sent >= 0;
}

ssize_t receive_with_descriptors(int socket, std::span<char> bytes, Received& descriptors,
                                 int flags, ucred* sender, bool* lost) {
    Envelope envelope(bytes.data(), bytes.size(), sizeof Envelope::control);
    descriptors = {};
    // A signal ends a waiting call. A call that doesn't wait is repeated.
    ssize_t got = -1;
    do {
        got = recvmsg(socket, &envelope.header, MSG_CMSG_CLOEXEC | flags);
    } while (got < 0 && errno == EINTR && (flags & MSG_DONTWAIT) != 0);
    if (got < 0) return got;
    for (cmsghdr* part = CMSG_FIRSTHDR(&envelope.header); part != nullptr;
         part = CMSG_NXTHDR(&envelope.header, part)) {
        if (part->cmsg_type == SCM_RIGHTS) take_rights(*part, descriptors);
        if (sender != nullptr && part->cmsg_type == SCM_CREDENTIALS &&
            part->cmsg_len == CMSG_LEN(sizeof *sender)) {
            std::memcpy(sender, CMSG_DATA(part), sizeof *sender);
        }
    }
    if (lost != nullptr)
        *lost = (envelope.header.msg_flags & MSG_CTRUNC) != 0 && !descriptors.back();
    return got;
}

bool receive_answer(int socket, std::span<char> bytes, Received& descriptors) {
    constexpr int wait_ms = 10'000;
    pollfd wait{socket, POLLIN, 0};
    int ready = -1;
    while ((ready = poll(&wait, 1, wait_ms)) < 0 && errno == EINTR) {
    }
    return ready > 0 && receive_with_descriptors(socket, bytes, descriptors, MSG_DONTWAIT) ==
                            static_cast<ssize_t>(bytes.size());
}

}  // namespace nlsh
