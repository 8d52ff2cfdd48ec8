// Mount namespaces that show the same files: a process under `ip netns exec`, or in a container
// that shares the machine's files, finds the same ip, shell and /etc/iproute2 as the server.
#pragma once

#include <string_view>

namespace nlsh {

// Compares two texts of /proc/PID/mountinfo: the same file systems at the same places, with the
// same options. Not looked at are /sys and /dev, of which nothing is read but /dev/null, and which
// instance of /proc is mounted, provided that it is whole and writable.
bool same_mounts(std::string_view one, std::string_view other);

}  // namespace nlsh
