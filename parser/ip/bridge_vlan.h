// bridge vlan (bridge(8)): requests.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace nlsh {

// A VLAN or a tunnel id, or a range of them.
struct IdRange {
    uint32_t first = 0;
    std::optional<uint32_t> last;  // none: a single one
    bool operator==(const IdRange&) const = default;
};

// bridge vlan add, del.
struct VlanChange {
    bool add = true;
    std::string device;
    IdRange vid;
    std::optional<IdRange> tunnel;
    uint16_t vlan_flags = 0;    // BRIDGE_VLAN_INFO_*
    uint16_t bridge_flags = 0;  // BRIDGE_FLAGS_*
};

// bridge vlan show, tunnelshow.
struct VlanShow {
    std::string device;  // empty: all
    uint32_t vid = 0;    // 0: all
    bool tunnels = false;
};

}  // namespace nlsh
