// Lines of /proc/PID/mountinfo (proc_pid_mountinfo(5)).
#pragma once

#include <optional>
#include <string_view>

namespace nlsh {

// Views of the line. Blanks in names are escaped (`\040`), as the kernel writes them.
struct MountLine {
    std::string_view id, parent, device, root, place, options, type;
};

// Nothing: the line has another form.
std::optional<MountLine> parse_mount(std::string_view line);

// The path is the directory, or in it.
constexpr bool is_below(std::string_view path, std::string_view directory) {
    return path.starts_with(directory) &&
           (path.size() == directory.size() || path[directory.size()] == '/');
}

}  // namespace nlsh
