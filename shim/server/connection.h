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
    explicit Connection(int number);
    // Who connected.
    const ucred& peer() const { return peer_; }

    // The next request: its size, which may be more than the frame's; 0 or less when none came in
    // time. A kept connection waits for NLSH_KEPT_MS.
    ssize_t receive(std::span<char> frame);
    // What has come, without waiting.
    void receive_at_once(std::span<char> frame) { receive_now(frame, MSG_DONTWAIT); }
    // What came with it (NLSH_STREAMS); the caller's from now on.
    std::array<Descriptor, 2> take_streams() { return std::move(streams_); }
    // Whose request that is.
    const ucred& sender() const { return sender_; }
    // A connection may have been inherited by, or given to, a process with other rights.
    bool sender_connected() const { return sender_.pid == peer_.pid; }
    // The client has shut its sending side down: it takes the real way (wire.h, "Withdrawing").
    bool withdrawn() const;
    // Of the namespace in which the client made its socket, as netns_of().
    uint64_t netns();

    // Another request may be asked for: reply with `kept`. False: it can't.
    bool keep();
    // Needs no memory.
    bool reply(const Reply& reply) const;
    int get() const { return descriptor_.get(); }

  private:
    ssize_t receive_now(std::span<char> frame, int flags);

    Descriptor descriptor_;
    std::array<Descriptor, 2> streams_;
    ucred sender_{};
    ucred peer_{};
    uint64_t netns_ = 0;
    bool kept_ = false;
};

}  // namespace nlsh
