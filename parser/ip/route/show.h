// `ip route show` and `ip route get`, as data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "parser/ip/arguments.h"

namespace nlsh {

// A range of prefixes: inside `root` (as long or longer), around `match` (as short or shorter).
struct PrefixFilter {
    std::optional<InetPrefix> root;
    std::optional<InetPrefix> match;
};

// A filter that is set hides its field in the output.
struct RouteShow {
    uint8_t family = 0;   // AF_UNSPEC: all families
    uint32_t table = 0;   // 0: all tables
    std::string vrf;      // its table, in place of `table`
    bool cloned = false;  // the cache
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

// `ip route flush`: those that a show would list.
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
    std::optional<uint32_t> mark;
    std::optional<uint32_t> uid;
    std::optional<uint16_t> source_port;
    std::optional<uint16_t> destination_port;
    std::optional<uint8_t> ip_protocol;
};

}  // namespace nlsh
