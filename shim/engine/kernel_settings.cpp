#include "shim/engine/kernel_settings.h"

#include <algorithm>

namespace nlsh {

bool names_kernel_setting(std::string_view path) {
    constexpr std::string_view root = "/proc/sys/";
    if (!path.starts_with(root) || path.starts_with("/proc/sys/fs/binfmt_misc")) return false;
    path.remove_prefix(root.size());
    while (true) {
        const size_t end = std::min(path.find('/'), path.size());
        const std::string_view part = path.substr(0, end);
        if (part.empty() || part == "." || part == "..") return false;
        if (end == path.size()) return true;
        path.remove_prefix(end + 1);
    }
}

}  // namespace nlsh
