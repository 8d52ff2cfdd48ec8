// Unix SOCK_SEQPACKET sockets, as the wire protocol uses them: addresses, connections, messages
// that carry descriptors.
#pragma once

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#include <array>
#include <expected>
#include <optional>
#include <span>
#include <string_view>

#include "backend/descriptor.h"
#include "shim/wire/wire.h"

namespace nlsh {

// The descriptors of one message: two streams and a netlink socket.
inline constexpr size_t received_max = 3;
using Received = std::array<Descriptor, received_max>;

// nullopt: the path is too long.
std::optional<sockaddr_un> unix_address(std::string_view path);

struct UnixConnection {
    int flags = 0;       // SOCK_NONBLOCK: connecting never waits, either
    timeval patience{};  // for each send and receive; zero: no limit
};

// The error is errno.
std::expected<Descriptor, int> connect_unix(std::string_view path,
                                            const UnixConnection& connection = {});

// One message; the receiver gets copies of both descriptors. False: errno says why.
bool send_with_descriptors(int socket, std::string_view bytes,
                           const std::array<int, 2>& descriptors);

// The size of the message, as recvmsg(2) gives it; descriptors that didn't come are invalid.
// sender: set if the message comes with its sender's credentials (SO_PASSCRED).
// lost: whether descriptors were lost, because this process has no number left.
ssize_t receive_with_descriptors(int socket, std::span<char> bytes, Received& descriptors,
                                 int flags = 0, ucred* sender = nullptr, bool* lost = nullptr);

// Waits for a client's answer to a question of the server. The client waits for the question, so
// only a stopped client takes longer than this waits. False: nothing of this size has come.
bool receive_answer(int socket, std::span<char> bytes, Received& descriptors);
template <typename Answer>
std::optional<Answer> receive_answer(int socket, Received& descriptors) {
    Answer answer{};
    const std::span<char> bytes(reinterpret_cast<char*>(&answer), sizeof answer);
    const bool came = receive_answer(socket, bytes, descriptors) && answer.magic == NLSH_MAGIC;
    return came ? std::optional(answer) : std::nullopt;
}

}  // namespace nlsh
