// bridge vlan (bridge(8)): requests.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "backend/objects/bridge/words/values.h"
#include "parser/ip/verb.h"

namespace nlsh {

// bridge vlan add, del.
struct VlanChange {
    ChangeVerb verb = ChangeVerb::add;
    std::string device;
    IdRange vid;
    std::optional<IdRange> tunnel;
    uint16_t vlan_flags = 0;    // BRIDGE_VLAN_INFO_*
    uint16_t bridge_flags = 0;  // BRIDGE_FLAGS_*
};

// bridge vlan set, bridge vlan global set.
struct VlanSet {
    // One option: BRIDGE_VLANDB_ENTRY_* or, global, BRIDGE_VLANDB_GOPTS_*.
    struct Option {
        uint16_t type;
        uint8_t size;  // bytes
        uint64_t value;
        bool operator==(const Option&) const = default;
    };
    bool global = false;
    std::string device;
    IdRange vid;
    std::vector<Option> options;
};

enum class VlanTable : uint8_t { vlans, tunnels, global };

// bridge vlan show, tunnelshow, global show.
struct VlanShow {
    std::string device;  // empty: all
    uint32_t vid = 0;    // 0: all
    VlanTable table = VlanTable::vlans;
};

}  // namespace nlsh
