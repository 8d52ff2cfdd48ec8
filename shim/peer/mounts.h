// Mount namespaces that show the same files: a process under `ip netns exec`, or in a container
// that shares the machine's files, finds the same ip, shell and /etc/iproute2 as the server.
#pragma once

#include <string_view>

namespace nlsh {

// Compares two texts of /proc/PID/mountinfo: the same file systems at the same places, with the
// same options. Below /sys and /dev, only the mounts over what lines use count. Any instance of
// /sys will do, and any of /proc that is whole and writable.
bool same_mounts(std::string_view one, std::string_view other);

}  // namespace nlsh
