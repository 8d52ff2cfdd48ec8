// -netns NAME: network namespaces that have a name under /run/netns.
#pragma once

#include <expected>
#include <string>

namespace nlsh {

// Whether the opened file is a network namespace. A name whose mount only another mount namespace
// has is a plain file.
bool is_network_namespace(int descriptor);

struct NetnsRefusal {
    std::string message;  // what iproute2 says
    std::string reason;   // why iproute2 may do more than say so; empty: it doesn't
};

// Moves the calling thread for good: use a thread of its own (own_thread.h). Refuses where iproute2
// does more: it mounts the files of /etc/netns/NAME over /etc, and a fresh /sys.
std::expected<void, NetnsRefusal> enter_netns(const std::string& name);

}  // namespace nlsh
