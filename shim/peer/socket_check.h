// May a line be done over the netlink socket that its caller has passed? The kernel checks the
// rights of who opened the socket and those of the server; what the server checks here is the
// caller itself, who may have the socket from a stronger process.
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

    // What the line does besides showing.
    struct Use {
        bool changes = false;
        bool writes_files = false;  // of /proc/sys, which the caller opens
    };
    // Empty when the sender of the connection's request may use its socket so; else the reason.
    // root: what the sender says of its own (shim/wire/root.h). A lie there makes the lines of the
    // liar wrong and gives no right.
    std::string refusal(Connection& connection, uint64_t root, const Use& use) const;

  private:
    bool may_change(Connection& connection, uint64_t capabilities) const;

    const Places& places_;
    const uint64_t own_root_;
    const uint64_t own_capabilities_;  // of line_capabilities
};

// Whether somebody who isn't root has to do with the request: outputs by a pipe only, and no
// changes.
bool is_strangers(const Connection& connection);
// Bytes in there have no writer's name: a pipe, or /dev/null.
bool is_anonymous_sink(int descriptor);
bool are_anonymous(const Descriptor& output, const Descriptor& error);

}  // namespace nlsh
