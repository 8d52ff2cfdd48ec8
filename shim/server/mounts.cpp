#include "shim/server/mounts.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace nlsh {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        const size_t end = std::min(text.find(separator), text.size());
        parts.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

bool is_below(std::string_view path, std::string_view directory) {
    return path.starts_with(directory) &&
           (path.size() == directory.size() || path[directory.size()] == '/');
}

// What is seen at each place where something is mounted.
struct Mount {
    std::string_view id, parent;
    std::string what;
    bool operator==(const Mount& other) const { return what == other.what; }
};
using Mounts = std::map<std::string_view, Mount>;

// 36 35 98:0 /root /place rw,noatime master:1 - ext3 /dev/root rw,errors=continue
bool add_mount(Mounts& mounts, std::string_view line) {
    enum { id, parent, device, root, place, options, optional };
    const auto fields = split(line, ' ');
    size_t type = optional;
    while (type < fields.size() && fields[type] != "-")
        ++type;
    if (++type >= fields.size()) return false;
    if (is_below(fields[place], "/sys") || is_below(fields[place], "/dev")) return true;
    // The file or directory behind it is gone, and another may have had the same name.
    if (fields[root].ends_with("//deleted")) return false;
    const bool whole_proc = fields[place] == "/proc" && fields[type] == "proc" &&
                            fields[root] == "/" && split(fields[options], ',').front() == "rw";
    Mount mount{fields[id], fields[parent], "proc"};
    if (!whole_proc) {
        mount.what =
            fmt::format("{} {} {} {}", fields[device], fields[root], fields[options], fields[type]);
    }
    const auto [entry, fresh] = mounts.try_emplace(fields[place], mount);
    if (fresh || entry->second.parent == mount.id) return true;
    // Of mounts at one place the last one is seen.
    if (mount.parent != entry->second.id) return false;
    entry->second = std::move(mount);
    return true;
}

std::optional<Mounts> read_mounts(std::string_view text) {
    Mounts mounts;
    for (const std::string_view line : split(text, '\n')) {
        if (!add_mount(mounts, line)) return {};
    }
    return mounts;
}

}  // namespace

bool same_mounts(std::string_view one, std::string_view other) {
    const auto mounts = read_mounts(one);
    return mounts && !mounts->empty() && mounts == read_mounts(other);
}

}  // namespace nlsh
