// A netlink socket that a caller has opened and passed (wire.h, NLSH_NETLINK). For a message
// without a destination address the kernel checks the rights of the sender, which is the server,
// and of the socket's opener. The socket is in its opener's network namespace.
#pragma once

#include <cstdint>
#include <memory>

#include "backend/context.h"
#include "backend/descriptor.h"
#include "backend/net/channel.h"
#include "shim/journal/journal.h"

namespace nlsh {

// The caller has a copy: it may read answers, change the socket's options, or flood its queue. So
// no thread may wait for an answer without a limit, and any answer may be missing. Not thread-safe.
class CallersSocket {
  public:
    // Returns null if `socket` isn't a NETLINK_ROUTE socket. `journal` is the worker's, or null.
    static std::unique_ptr<CallersSocket> take(Descriptor socket, Journal* journal);

    Session& session() { return session_; }
    // Its network namespace, as netns_of().
    uint64_t netns() const { return netns_; }
    // Whether look-ups of missing devices may load kernel modules, for which the kernel would check
    // the server's rights.
    void let_load_modules(bool may) { may_load_modules_ = may; }
    // Whether the socket came with the mark of somebody with CAP_NET_ADMIN (wire.h, NLSH_NETLINK).
    bool was_marked() const { return was_marked_; }

  private:
    CallersSocket(Descriptor socket, Journal* journal);
    std::expected<Channel, int> open(bool strict);

    const Descriptor socket_;
    Journal* const journal_;
    const uint64_t netns_;
    bool opened_ = false;
    bool may_load_modules_ = false;
    bool was_marked_ = false;
    Session session_;
};

// For the heir: over a caller's socket that a dead server served. Loads no modules. Answers that
// the dead server hasn't read are dropped. Null: the queue doesn't become empty.
std::unique_ptr<Transport> go_on_over_callers(int socket);

}  // namespace nlsh
