// Recognises mount namespaces that show the same files: a process under `ip netns exec`, or in a
// container that shares the machine's files, finds the server's ip, shell and /etc/iproute2.
#pragma once

#include <string_view>

namespace nlsh {

// Compares two texts of /proc/PID/mountinfo: the same file systems at the same places, with the
// same options. Below /sys and /dev only mounts over files that lines use count. Any instance of
// /sys will do, and any whole and writable one of /proc.
bool same_mounts(std::string_view one, std::string_view other);

}  // namespace nlsh
