// A caller's connection: its requests, and what the kernel says of who sent them.
#pragma once

#include <sys/socket.h>
#include <sys/types.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "backend/descriptor.h"
#include "shim/journal/journal.h"
#include "shim/peer/callers_socket.h"
#include "shim/wire/codec.h"
#include "shim/wire/unix_socket.h"

namespace nlsh {

// Not thread-safe.
class Connection {
  public:
    // journal: of who serves it; null: nobody's.
    explicit Connection(int number, Journal* journal = nullptr);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    // Who connected.
    const ucred& peer() const { return peer_; }

    // The next request: its size, which may be more than the frame's; 0 or less when none came in
    // time. A kept connection waits for NLSH_KEPT_MS.
    ssize_t receive(std::span<char> frame);
    // What has come, without waiting.
    void receive_at_once(std::span<char> frame) { receive_now(frame, MSG_DONTWAIT); }
    // What came with it (NLSH_STREAMS); the caller's from now on.
    std::array<Descriptor, 2> take_streams() { return {std::move(came_[0]), std::move(came_[1])}; }
    const Received& came() const { return came_; }
    // The netlink socket that came with it, which is the connection's from now on. False: none did.
    bool take_socket(const RequestView& request);
    // Null: the caller has passed none.
    CallersSocket* socket() const { return socket_.get(); }
    // Some came that we had no number for.
    bool streams_lost() const { return lost_; }
    // What came with a request that the server read which has died.
    void take_over_streams(const Journal& journal);
    Journal* journal() const { return journal_; }
    // Whose request that is.
    const ucred& sender() const { return sender_; }
    // A connection may have been inherited by, or given to, a process with other rights.
    bool sender_connected() const { return sender_.pid == peer_.pid; }
    // The client has shut its sending side down: it takes the real way (wire.h, "Withdrawing").
    bool withdrawn() const;
    // Of the namespace in which the client made its socket, as netns_of().
    uint64_t netns();

    // The same as a descriptor.
    Descriptor open_netns() const;
    // A pidfd of who connected; invalid: he is gone.
    Descriptor open_peer() const;
    // The same, kept for the next time.
    const Descriptor& peer_process();

    // Another request may be asked for: reply with `kept`. False: it can't.
    bool keep();
    // The same of a client in another namespace than ours, which its own socket would hold for as
    // long as the client keeps it: a pair of sockets of the calling thread's namespace takes the
    // connection's place, and the far end goes with the next reply.
    bool keep_apart();
    // Needs no memory.
    bool reply(const Reply& reply);
    int get() const { return descriptor_.get(); }

  private:
    ssize_t receive_now(std::span<char> frame, int flags);
    ssize_t receive_next(std::span<char> frame);
    bool send_now(const msghdr& message) const;

    Journal* const journal_;
    // What is kept apart knows neither: both are of the client's own socket. The namespace is let
    // go after the connection is closed, so that no other can have its number before the client
    // knows.
    Descriptor netns_file_;
    Descriptor peer_process_;
    Descriptor descriptor_;
    struct {
        Descriptor near, far;
    } apart_;  // until the next reply
    Received came_;
    bool lost_ = false;  // of these, for want of a number
    std::unique_ptr<CallersSocket> socket_;
    ucred sender_{};
    ucred peer_{};
    uint64_t netns_ = 0;
    bool kept_ = false;
};

}  // namespace nlsh
