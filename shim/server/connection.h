// A caller's connection: its requests, and what the kernel says of who sent them.
#pragma once

#include <sys/socket.h>
#include <sys/types.h>

#include <array>
#include <cstdint>
#include <span>
#include <utility>

#include "backend/descriptor.h"
#include "shim/wire/codec.h"

namespace nlsh {

// Not thread-safe.
class Connection {
  public:
    explicit Connection(int number) : descriptor_(number) {}

    // The next request: its size, which may be more than the frame's; 0 or less when none came in
    // time. A kept connection waits for NLSH_KEPT_MS.
    ssize_t receive(std::span<char> frame);
    // What came with it (NLSH_STREAMS); the caller's from now on.
    std::array<Descriptor, 2> take_streams() { return std::move(streams_); }
    // Whose request that is. The first one's: who connected.
    const ucred& sender() const { return sender_; }
    // A kept connection may have been inherited by a process with other rights.
    bool sender_connected() const { return sender_.pid == peer_; }
    // The client has shut its sending side down: it takes the real way (wire.h, "Withdrawing").
    bool withdrawn() const;
    // Of the namespace in which the client made its socket, as netns_of().
    uint64_t netns();

    // Another request may be asked for: reply with `kept`. False: it can't.
    bool keep();
    bool reply(const Reply& reply) const;
    int get() const { return descriptor_.get(); }

  private:
    ssize_t receive_first(std::span<char> frame);
    ssize_t receive_another(std::span<char> frame);

    Descriptor descriptor_;
    std::array<Descriptor, 2> streams_;
    ucred sender_{};
    pid_t peer_ = 0;
    uint64_t netns_ = 0;
    bool kept_ = false;
};

}  // namespace nlsh
