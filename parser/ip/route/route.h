// `ip route add`, `del` and their kin, as data.
#pragma once

#include <linux/rtnetlink.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parser/ip/arguments.h"
#include "parser/ip/route/encap.h"

namespace nlsh {

// What the verb asks of the kernel: NLM_F_CREATE, NLM_F_EXCL, … of RTM_NEWROUTE, or RTM_DELROUTE.
enum class RouteVerb : uint8_t { add, change, replace, prepend, append, test, remove };

// The path's metrics by RTAX_* number. Times are in the kernel's units.
struct RouteMetrics {
    std::array<std::optional<uint32_t>, RTAX_MAX + 1> values{};
    std::string congestion;  // RTAX_CC_ALGO
    uint32_t locked = 0;     // a bit for each RTAX_* number
    bool empty() const;
};

// One of the paths after the word `nexthop`.
struct RouteNexthop {
    std::optional<InetPrefix> via;
    std::string device;  // empty: none
    std::optional<uint32_t> realms;
    uint8_t weight_minus_1 = 0;
    uint8_t flags = 0;  // RTNH_F_*
    RouteEncap encap;
    std::string labels;  // RTA_NEWDST: a stack of MPLS labels; empty: none
};

struct RouteChange {
    RouteVerb verb = RouteVerb::add;
    uint8_t family = 0;  // AF_INET, AF_INET6, AF_MPLS
    uint8_t type = RTN_UNICAST;
    uint8_t scope = RT_SCOPE_UNIVERSE;
    uint8_t protocol = RTPROT_BOOT;
    uint8_t tos = 0;
    uint8_t flags = 0;               // RTNH_F_*
    uint32_t table = RT_TABLE_MAIN;  // not looked at with a vrf
    std::string vrf;
    InetPrefix destination;  // size 0: no RTA_DST
    std::optional<InetPrefix> source;
    std::optional<InetPrefix> via;
    std::optional<InetPrefix> preferred_source;
    std::string device;  // empty: none
    std::optional<uint32_t> priority;
    std::optional<uint32_t> expires;
    std::optional<uint32_t> nexthop_id;
    std::optional<uint32_t> realms;
    std::optional<uint8_t> preference;
    std::optional<uint8_t> ttl_propagate;
    RouteEncap encap;
    std::string labels;  // RTA_NEWDST: a stack of MPLS labels; empty: none
    RouteMetrics metrics;
    std::vector<RouteNexthop> nexthops;
};

}  // namespace nlsh
