#include "shim/files/system_files.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>

#include "backend/mountinfo.h"
#include "backend/read_file.h"
#include "parser/text.h"
#include "shim/files/kernel_settings.h"

namespace nlsh {

std::vector<std::string> mounts_in_settings(std::string_view mountinfo) {
    constexpr std::string_view settings = "/proc/sys";
    std::vector<std::string> places;
    while (!mountinfo.empty()) {
        const auto mount = parse_mount(take_line(mountinfo));
        if (!mount || !is_below(mount->place, settings)) continue;
        const bool usual =
            mount->place == settings && mount->type == "proc" && mount->root == "/sys";
        if (!usual) places.emplace_back(mount->place);
    }
    return places;
}

bool SystemFiles::null_discards() {
    if (null_) return *null_;
    constexpr const char* path = "/dev/null";
    watch_(path);
    struct stat status;
    null_ = stat(path, &status) == 0 && S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3);
    return *null_;
}

bool SystemFiles::has_setting(std::string_view path) {
    if (!names_kernel_setting(path)) return false;
    if (!mounts_) mounts_ = mounts_in_settings(read_file("/proc/self/mountinfo"));
    return std::ranges::none_of(*mounts_,
                                [path](const std::string& place) { return is_below(path, place); });
}

}  // namespace nlsh
