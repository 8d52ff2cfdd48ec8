// -netns NAME: named network namespaces, under /run/netns.
#pragma once

#include <expected>
#include <optional>
#include <string>

namespace nlsh {

// Whether the opened file is a network namespace. If only another mount namespace has the name's
// mount, the file is a plain one.
bool is_network_namespace(int descriptor);

struct NetnsRefusal {
    std::string message;  // iproute2's message
    std::string reason;   // why iproute2 may do more than print it; empty: it doesn't
};

// Whether this process is root in the first user namespace: in others the kernel refuses the fresh
// /sys that iproute2 mounts.
bool is_first_root();

// Moves the calling thread for good: use a thread of its own (own_thread.h). Refuses if iproute2
// does more: it mounts the files of /etc/netns/NAME over /etc, and a fresh /sys.
std::expected<void, NetnsRefusal> enter_netns(const std::string& name);

// Why enter_netns() would refuse now, without entering it.
std::optional<NetnsRefusal> netns_refusal(const std::string& name);

// As nsenter does: enters that namespace alone, without mounts.
bool enter_netns_file(const std::string& path);

}  // namespace nlsh
