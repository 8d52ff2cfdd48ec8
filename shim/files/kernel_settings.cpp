#include "shim/files/kernel_settings.h"

#include <algorithm>

namespace nlsh {
namespace {

// Excluded settings begin so: mounts, and the settings of uts_namespaces(7), ipc_namespaces(7) and
// pid_namespaces(7). Pid namespaces have also vm/memfd_noexec (Linux 6.3) and pid_max (6.14).
constexpr std::string_view others[] = {
    "fs/binfmt_misc",  "fs/mqueue",  "kernel/auto_msgmni", "kernel/domainname",
    "kernel/hostname", "kernel/msg", "kernel/ns_last_pid", "kernel/pid_max",
    "kernel/sem",      "kernel/shm", "vm/memfd_noexec"};

}  // namespace

bool names_kernel_setting(std::string_view path) {
    constexpr std::string_view root = "/proc/sys/";
    if (!path.starts_with(root)) return false;
    path.remove_prefix(root.size());
    if (std::ranges::any_of(others, [&](auto start) { return path.starts_with(start); }))
        return false;
    while (true) {
        const size_t end = std::min(path.find('/'), path.size());
        const std::string_view part = path.substr(0, end);
        if (part.empty() || part == "." || part == "..") return false;
        if (end == path.size()) return true;
        path.remove_prefix(end + 1);
    }
}

}  // namespace nlsh
