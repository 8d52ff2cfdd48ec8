// bridge link (bridge(8)): requests.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nlsh {

// One attribute of a port, IFLA_BRPORT_*.
struct PortAttribute {
    uint16_t type;
    uint8_t size;  // bytes
    uint32_t value;
    bool operator==(const PortAttribute&) const = default;
};

struct BridgeLinkSet {
    std::string device;
    std::vector<PortAttribute> attributes;
    std::optional<std::string> backup_port;  // empty: none (nobackup_port)
    uint16_t flags = 0;                      // BRIDGE_FLAGS_*
    std::optional<uint16_t> mode;            // BRIDGE_MODE_*
};

struct BridgeLinkShow {
    std::string device;  // empty: all
    std::string master;  // empty: any
};

}  // namespace nlsh
