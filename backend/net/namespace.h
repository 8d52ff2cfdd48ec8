// -netns NAME: named network namespaces, under /run/netns.
#pragma once

#include <expected>
#include <string>

namespace nlsh {

// Whether the opened file is a network namespace. If only another mount namespace has the name's
// mount, the file is a plain one.
bool is_network_namespace(int descriptor);

struct NetnsRefusal {
    std::string message;  // iproute2's message
    std::string reason;   // why iproute2 may do more than print it; empty: it doesn't
};

// Moves the calling thread for good: use a thread of its own (own_thread.h). Refuses if iproute2
// does more: it mounts the files of /etc/netns/NAME over /etc, and a fresh /sys.
std::expected<void, NetnsRefusal> enter_netns(const std::string& name);

}  // namespace nlsh
