// ip monitor and bridge monitor as a typed request.
#pragma once

#include <cstdint>

namespace nlsh {

// Kinds of messages, as bits: what is listened to.
enum MonitorObject : uint16_t {
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
    monitor_fdb = 1 << 11,  // bridge
};

struct Monitor {
    uint16_t objects = 0;  // MonitorObject
    bool labels = false;   // [LINK] and so on before each object
    bool operator==(const Monitor&) const = default;
};

}  // namespace nlsh
