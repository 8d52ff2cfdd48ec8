#include "shim/peer/mounts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "backend/mountinfo.h"
#include "parser/text.h"

namespace nlsh {
namespace {

// Places that lines don't use: mounts there don't count.
bool is_unused(std::string_view place) {
    constexpr std::string_view sys[] = {"/sys/class", "/sys/devices"};  // `ip tuntap show`
    constexpr std::string_view dev[] = {"/dev/null", "/dev/net"};
    const auto holds = [place](std::string_view used) { return is_below(place, used); };
    if (place == "/sys" || place == "/dev") return false;
    if (is_below(place, "/sys")) return std::ranges::none_of(sys, holds);
    return is_below(place, "/dev") && std::ranges::none_of(dev, holds);
}

// Any whole instance will do: each network namespace has its own /sys, and each pid namespace its
// own /proc. /sys is only read.
std::string_view interchangeable(const MountLine& mount) {
    if (mount.root != "/") return {};
    if (mount.place == "/sys" && mount.type == "sysfs") return "sys";
    const std::string_view access = mount.options.substr(0, mount.options.find(','));
    return mount.place == "/proc" && mount.type == "proc" && access == "rw" ? "proc" : "";
}

// The visible mount at a mount point.
struct Mount {
    std::string_view id, parent;
    std::string what;
    bool operator==(const Mount& other) const { return what == other.what; }
};
using Mounts = std::map<std::string_view, Mount>;

bool add_mount(Mounts& mounts, std::string_view line) {
    const auto fields = parse_mount(line);
    if (!fields) return false;
    if (is_unused(fields->place)) return true;
    // The file or directory behind it was deleted, and another one may have had its name.
    if (fields->root.ends_with("//deleted")) return false;
    Mount mount{fields->id, fields->parent, std::string(interchangeable(*fields))};
    if (mount.what.empty()) {
        mount.what =
            fmt::format("{} {} {} {}", fields->device, fields->root, fields->options, fields->type);
    }
    const auto [entry, fresh] = mounts.try_emplace(fields->place, mount);
    if (fresh || entry->second.parent == mount.id) return true;
    // The last mount at a place hides the others.
    if (mount.parent != entry->second.id) return false;
    entry->second = std::move(mount);
    return true;
}

std::optional<Mounts> read_mounts(std::string_view text) {
    Mounts mounts;
    while (!text.empty())
        if (!add_mount(mounts, take_line(text))) return {};
    return mounts;
}

}  // namespace

bool same_mounts(std::string_view one, std::string_view other) {
    const auto mounts = read_mounts(one);
    return mounts && !mounts->empty() && mounts == read_mounts(other);
}

}  // namespace nlsh
