#include "backend/objects/netns/ids.h"

#include "backend/objects/netns/names.h"

namespace nlsh {

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
