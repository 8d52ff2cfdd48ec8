// ip monitor and bridge monitor as a typed request.
#pragma once

#include <cstdint>
#include <string>

namespace nlsh {

// Kinds of messages that a monitor listens to, as bits.
enum MonitorObject : uint32_t {
    monitor_link = 1 << 0,
    monitor_address = 1 << 1,
    monitor_route = 1 << 2,
    monitor_mroute = 1 << 3,
    monitor_prefix = 1 << 4,
    monitor_neighbor = 1 << 5,
    monitor_netconf = 1 << 6,
    monitor_rule = 1 << 7,
    monitor_nsid = 1 << 8,
    monitor_nexthop = 1 << 9,
    monitor_stats = 1 << 10,
    // for bridge, as is monitor_link
    monitor_fdb = 1 << 11,
    monitor_mdb = 1 << 12,
    monitor_vlan = 1 << 13,
    monitor_vni = 1 << 14,
    // for ip: multicast groups, joined and left, and anycast addresses
    monitor_maddress = 1 << 15,
    monitor_acaddress = 1 << 16,
};

struct Monitor {
    uint32_t objects = 0;         // MonitorObject
    bool labels = false;          // [LINK] and so on before each object
    bool all_namespaces = false;  // every namespace that has a number here
    std::string device = {};      // only messages about it
    std::string file = {};        // prints all messages of a file of rtmon(8) instead
    bool operator==(const Monitor&) const = default;
};

}  // namespace nlsh
