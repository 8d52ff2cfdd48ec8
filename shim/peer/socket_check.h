// Decides whether a line may run over the netlink socket that its caller has passed. The kernel
// checks the rights of the socket's opener and of the server. The server checks the caller, who may
// have got the socket from a stronger process.
#pragma once

#include <cstdint>
#include <string>

#include "shim/peer/connection.h"
#include "shim/peer/place.h"

namespace nlsh {

// Thread-safe.
class SocketCheck {
  public:
    explicit SocketCheck(const Places& places);

    // The line's effects.
    struct Use {
        bool changes = false;
        bool writes_files = false;  // files of /proc/sys, which the caller opens
        bool marked = false;        // the socket came with this request, marked (CallersSocket)
    };
    // Empty: the sender of the connection's request may use its socket so. Otherwise the reason.
    // root: the sender's word on its own root (shim/wire/root.h); a lie makes the liar's own lines
    // wrong and gives no right.
    std::string refusal(Connection& connection, uint64_t root, const Use& use) const;

  private:
    bool is_like_us(Connection& connection) const;

    const Places& places_;
    const uint64_t own_root_;
    const uint64_t own_capabilities_;  // of line_capabilities
};

// Whether a user other than root takes part in the request: then outputs by pipes only.
bool is_strangers(const Connection& connection);
// Whether the sink hides the writer: a pipe, or /dev/null.
bool is_anonymous_sink(int descriptor);
bool are_anonymous(const Descriptor& output, const Descriptor& error);

}  // namespace nlsh
