#include "backend/objects/netns/names.h"

#include <dirent.h>
#include <linux/net_namespace.h>

#include <memory>

#include "backend/descriptor.h"
#include "backend/net/attributes.h"

namespace nlsh {

std::string netns_path(const std::string& name) {
    return "/run/netns/" + name;
}

std::optional<std::vector<std::string>> netns_names() {
    const std::unique_ptr<DIR, int (*)(DIR*)> directory(opendir("/run/netns"), closedir);
    if (!directory) return {};
    std::vector<std::string> names;
    while (const dirent* entry = readdir(directory.get())) {
        const std::string_view name = entry->d_name;
        if (name != "." && name != "..") names.emplace_back(name);
    }
    return names;
}

std::optional<int32_t> netns_id(Channel& channel, const std::string& name) {
    const Descriptor file = open_file(netns_path(name).c_str());
    if (!file) return {};
    Message message(RTM_GETNSID, 0, rtgenmsg{});
    message.put_u32(NETNSA_FD, static_cast<uint32_t>(file.get()));
    std::optional<int32_t> id;
    channel.get(message, [&](const nlmsghdr& answer) {
        const Attributes<NETNSA_MAX> attributes(attribute_bytes<rtgenmsg>(answer));
        if (attributes[NETNSA_NSID]) id = attributes[NETNSA_NSID].as<int32_t>();
        return true;
    });
    return id;
}

bool NetnsIds::load() {
    names_.clear();
    for (const std::string& name : netns_names().value_or(std::vector<std::string>{})) {
        const auto id = netns_id(channel_, name);
        if (!id) return false;
        if (*id >= 0) names_.try_emplace(*id, name);
    }
    loaded_ = true;
    return true;
}

bool NetnsIds::needs_lookup() {
    loaded_ = loaded_ || netns_names().value_or(std::vector<std::string>{}).empty();
    return !loaded_;
}

const std::string* NetnsIds::name(int32_t id) const {
    const auto known = names_.find(id);
    return known == names_.end() ? nullptr : &known->second;
}

}  // namespace nlsh
