// Whether /dev/null and the files of /proc/sys are the kernel's own: a file may be mounted over
// them, and a container may have /proc/sys/net as a mount of its own.
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
    // What is written to /dev/null is gone.
    bool null_discards();
    // The path leads from /proc/sys to a setting (names_kernel_setting) without crossing a mount.
    bool has_setting(std::string_view path);
    // An answer depends on more than files.
    bool looked() const { return null_ || mounts_; }

  private:
    Watch watch_;
    std::optional<bool> null_;
    std::optional<std::vector<std::string>> mounts_;
};

// The places of a text of /proc/PID/mountinfo where something is mounted below /proc/sys, or
// something else than /proc/sys on it.
std::vector<std::string> mounts_in_settings(std::string_view mountinfo);

}  // namespace nlsh
