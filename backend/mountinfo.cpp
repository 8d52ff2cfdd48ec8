#include "backend/mountinfo.h"

#include <algorithm>

namespace nlsh {
namespace {

std::string_view take_until(std::string_view& text, char separator) {
    const std::string_view part = text.substr(0, text.find(separator));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    return part;
}

}  // namespace

// 36 35 98:0 /root /place rw,noatime master:1 - ext3 /dev/root rw,errors=continue
std::optional<MountLine> parse_mount(std::string_view line) {
    MountLine mount;
    for (std::string_view* field :
         {&mount.id, &mount.parent, &mount.device, &mount.root, &mount.place, &mount.options})
        *field = take_until(line, ' ');
    while (!line.empty() && take_until(line, ' ') != "-") {
    }
    mount.type = take_until(line, ' ');
    if (mount.type.empty()) return {};
    return mount;
}

}  // namespace nlsh
