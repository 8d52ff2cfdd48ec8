// A netlink socket that a caller has opened and passed (wire.h, NLSH_NETLINK). The kernel lets a
// message pass that has no destination address if both its sender, which is the server, and the
// socket's opener have the right. The socket is in its opener's network namespace.
#pragma once

#include <cstdint>
#include <memory>

#include "backend/context.h"
#include "backend/descriptor.h"
#include "backend/net/channel.h"
#include "shim/journal/journal.h"

namespace nlsh {

// The caller has a copy: it may read the answers, change the socket's options, or flood its queue.
// Nothing of that lets a thread wait, and each answer may be missing. Not thread-safe.
class CallersSocket {
  public:
    // Null: it is no NETLINK_ROUTE socket. journal: of who serves it; null: nobody's.
    static std::unique_ptr<CallersSocket> take(Descriptor socket, Journal* journal);

    Session& session() { return session_; }
    // Its network namespace, as netns_of().
    uint64_t netns() const { return netns_; }
    // Whether a device that isn't there may be looked up in the way for which the kernel loads a
    // module: its own look at rights would be at the server's.
    void let_load_modules(bool may) { may_load_modules_ = may; }

  private:
    CallersSocket(Descriptor socket, Journal* journal);
    std::expected<Channel, int> open(bool strict);

    const Descriptor socket_;
    Journal* const journal_;
    const uint64_t netns_;
    bool opened_ = false;
    bool may_load_modules_ = false;
    Session session_;
};

// For the heir: over a caller's socket that a dead server served. Loads no modules. Answers that
// the dead server hasn't read are dropped. Null: the queue doesn't become empty.
std::unique_ptr<Transport> go_on_over_callers(int socket);

}  // namespace nlsh
