// Whether /dev/null and the files of /proc/sys are the kernel's own. Other files may be mounted
// over them, and in a container /proc/sys/net may be a mount.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nlsh {

// Looks at the system when asked, and remembers what it finds.
class SystemFiles {
  public:
    // Calls `watch` with each file that an answer depends on, before looking at the file. The
    // caller must watch mounts itself.
    using Watch = std::function<void(const std::string& path)>;
    explicit SystemFiles(Watch watch = [](const std::string&) {}) : watch_(std::move(watch)) {}
    // Whether /dev/null discards writes.
    bool null_discards();
    // Whether the path leads to a setting (names_kernel_setting) without crossing a mount.
    bool has_setting(std::string_view path);
    // Whether an answer depends on more than files.
    bool looked() const { return null_ || mounts_; }

  private:
    Watch watch_;
    std::optional<bool> null_;
    std::optional<std::vector<std::string>> mounts_;
};

// From the text of /proc/PID/mountinfo: the mount points below /proc/sys, and /proc/sys itself if
// something else is mounted there.
std::vector<std::string> mounts_in_settings(std::string_view mountinfo);

}  // namespace nlsh
