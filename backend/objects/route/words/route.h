// `ip route`: requests.
#pragma once

#include <linux/rtnetlink.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "backend/objects/route/words/encap.h"
#include "parser/ip/arguments.h"
#include "parser/ip/field.h"
#include "parser/ip/verb.h"

namespace nlsh {

// The path's metrics by RTAX_* number. Times are in the kernel's units.
struct RouteMetrics {
    std::array<std::optional<uint32_t>, RTAX_MAX + 1> values{};
    std::string congestion;  // RTAX_CC_ALGO
    uint32_t locked = 0;     // a bit for each RTAX_* number
    bool empty() const;
};

// One path after the word `nexthop`.
struct RouteNexthop {
    std::optional<InetPrefix> via;
    std::string device;  // empty: none
    FieldValues attributes;
    uint8_t weight_minus_1 = 0;
    uint8_t flags = 0;  // RTNH_F_*
    RouteEncap encap;
    std::string labels;  // RTA_NEWDST: a stack of MPLS labels; empty: none
};

struct RouteChange {
    ChangeVerb verb = ChangeVerb::add;
    uint8_t family = 0;  // AF_INET, AF_INET6, AF_MPLS
    uint8_t type = RTN_UNICAST;
    uint8_t scope = RT_SCOPE_UNIVERSE;
    uint8_t protocol = RTPROT_BOOT;
    uint8_t tos = 0;
    uint8_t flags = 0;               // RTNH_F_*
    uint32_t table = RT_TABLE_MAIN;  // a vrf replaces it
    std::string vrf;
    InetPrefix destination;  // size 0: no RTA_DST
    std::optional<InetPrefix> source;
    std::optional<InetPrefix> via;
    std::optional<InetPrefix> preferred_source;
    std::string device;      // empty: none
    FieldValues attributes;  // sent as given
    RouteEncap encap;
    std::string labels;  // RTA_NEWDST: a stack of MPLS labels; empty: none
    RouteMetrics metrics;
    std::vector<RouteNexthop> nexthops;
};

// A range of prefixes: inside `root` (at least as long), around `match` (at most as long).
struct PrefixFilter {
    std::optional<InetPrefix> root;
    std::optional<InetPrefix> match;
};

// A field with a filter isn't printed.
struct RouteShow {
    uint8_t family = 0;   // AF_UNSPEC: all families
    uint32_t table = 0;   // 0: all tables
    std::string vrf;      // its table replaces `table`
    bool cloned = false;  // show the cache
    PrefixFilter destination;
    PrefixFilter source;
    std::optional<InetPrefix> via;
    std::optional<InetPrefix> preferred_source;
    std::string oif;  // empty: none
    std::string iif;
    uint32_t type_mask = 0;  // a bit for each RTN_* number; 0: all types
    std::optional<uint8_t> protocol;
    std::optional<uint8_t> scope;
    std::optional<uint8_t> tos;
    std::optional<uint32_t> metric;
    std::optional<uint32_t> mark;
};

// `ip route flush` deletes the routes that a show would list.
struct RouteFlushCache {};

struct RouteFlush {
    RouteShow routes;
};

struct RouteGet {
    uint8_t family = 0;
    InetPrefix destination;
    std::optional<InetPrefix> source;
    std::string iif;
    std::string oif;
    uint8_t tos = 0;
    bool fib_match = false;
    bool notify = false;
    std::optional<uint32_t> mark;
    std::optional<uint32_t> uid;
    std::optional<uint16_t> source_port;
    std::optional<uint16_t> destination_port;
    std::optional<uint8_t> ip_protocol;
    std::optional<uint32_t> flow_label;
};

struct ParseContext;

// The words after the verb.
Parsed<RouteChange> parse_route_change(ChangeVerb verb, const ParseContext& context,
                                       Arguments arguments);
Parsed<RouteShow> parse_route_show(const ParseContext& context, Arguments arguments);
// Takes the next word and its value if it names a metric; false: it doesn't, nothing was taken.
Parsed<bool> take_metric(RouteMetrics& metrics, Arguments& arguments);

}  // namespace nlsh
