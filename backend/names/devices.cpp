#include "backend/names/devices.h"

#include <fmt/format.h>

namespace nlsh {

std::string_view DeviceNames::name(uint32_t ifindex) {
    const auto [place, fresh] = names_.try_emplace(ifindex);
    if (fresh) {
        place->second = channel_.ifname(ifindex);
        if (place->second.empty()) place->second = fmt::format("if{}", ifindex);
    }
    return place->second;
}

void DeviceNames::learn(uint32_t ifindex, std::string_view name) {
    names_.try_emplace(ifindex, name);
}

}  // namespace nlsh
