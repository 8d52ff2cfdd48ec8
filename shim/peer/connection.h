// A caller's connection: its requests, and their senders' credentials from the kernel.
#pragma once

#include <sys/socket.h>
#include <sys/types.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "backend/descriptor.h"
#include "shim/files/ends.h"
#include "shim/journal/journal.h"
#include "shim/peer/callers_socket.h"
#include "shim/wire/codec.h"
#include "shim/wire/unix_socket.h"

namespace nlsh {

// Not thread-safe.
class Connection {
  public:
    // journal: of the worker that serves it; null: none.
    explicit Connection(int number, Journal* journal = nullptr);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    // The process that connected.
    const ucred& peer() const { return peer_; }

    // Receives the next request. Returns its size, which may exceed the frame's; 0 or less: none
    // came in time. A kept connection waits for NLSH_KEPT_MS.
    ssize_t receive(std::span<char> frame);
    // Receives a request that has already arrived, without waiting.
    void receive_at_once(std::span<char> frame) { receive_now(frame, MSG_DONTWAIT); }
    // The descriptors that came with the request (NLSH_STREAMS); the caller of this function owns
    // them.
    std::array<Descriptor, 2> take_streams() { return {std::move(came_[0]), std::move(came_[1])}; }
    const Received& came() const { return came_; }
    // Takes the netlink socket that came with the request; the connection owns it. False: none
    // came.
    bool take_socket(const RequestView& request);
    // Null: the client has passed none.
    CallersSocket* socket() const { return socket_.get(); }
    // Whether descriptors were lost, because no number was free.
    bool streams_lost() const { return lost_; }
    // Takes the descriptors of a request that a dead server had read.
    void take_over_streams(const Journal& journal);
    Journal* journal() const { return journal_; }
    // The request's sender.
    const ucred& sender() const { return sender_; }
    // Whether the sender made the connection: another process, with other rights, may have
    // inherited it.
    bool sender_connected() const { return sender_.pid == peer_.pid; }
    // Whether the client has shut down its sending side: it falls back (wire.h, "Withdrawing").
    bool withdrawn() const;
    // The namespace in which the client made its socket, as netns_of().
    uint64_t netns();

    // The same namespace, as a descriptor.
    Descriptor open_netns() const;
    // A pidfd of the process that connected; invalid: it has gone.
    Descriptor open_peer() const;
    // The same, cached.
    const Descriptor& peer_process();

    // Prepares for another request: reply with `kept`. False: impossible.
    bool keep();
    // The same for a client in another namespace than ours. Its own socket would hold that
    // namespace as long as the client keeps it. So a pair of sockets of the calling thread's
    // namespace replaces the connection, and the far end goes with the next reply.
    bool keep_apart();
    // Allocates nothing.
    bool reply(const Reply& reply);
    int get() const { return descriptor_.get(); }

  private:
    ssize_t receive_now(std::span<char> frame, int flags);
    ssize_t receive_next(std::span<char> frame);
    bool send_now(const msghdr& message) const;

    Journal* const journal_;
    // Both belong to the client's own socket; a pair that is kept apart has neither. The namespace
    // is released after the connection is closed: until then no other namespace can get its number.
    Descriptor netns_file_;
    Descriptor peer_process_;
    Descriptor descriptor_;
    Ends apart_;  // until the next reply
    Received came_;
    bool lost_ = false;  // whether descriptors were lost, because no number was free
    std::unique_ptr<CallersSocket> socket_;
    ucred sender_{};
    ucred peer_{};
    uint64_t netns_ = 0;
    bool kept_ = false;
};

}  // namespace nlsh
