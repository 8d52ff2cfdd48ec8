// ip stats (ip-stats(8)), ip link xstats and afstats: requests.
#pragma once

#include <cstdint>
#include <string>

#include "parser/ip/traits/traits.h"

namespace nlsh {

// The suites of `ip stats`, in its order of printing.
enum class StatsSuite : uint8_t {
    mpls,
    link,
    l3,
    hardware,
    cpu_hit,
    slave_lacp,
    lacp,
    slave_vlan,
    slave_multicast,
    slave_stp,
    vlan,
    multicast,
    stp,
};
struct StatsName {
    const char* group;
    const char* subgroup;  // empty: none
    const char* suite;     // empty: none
    Trait since = Trait::always;
};
// By StatsSuite.
inline constexpr StatsName stats_names[] = {
    {"afstats", "mpls", ""},
    {"link", "", ""},
    {"offload", "l3_stats", ""},
    {"offload", "hw_stats_info", ""},
    {"offload", "cpu_hit", ""},
    {"xstats_slave", "bond", "802.3ad"},
    {"xstats", "bond", "802.3ad"},
    {"xstats_slave", "bridge", "vlan", Trait::stats_vlan_suite},
    {"xstats_slave", "bridge", "mcast"},
    {"xstats_slave", "bridge", "stp"},
    {"xstats", "bridge", "vlan", Trait::stats_vlan_suite},
    {"xstats", "bridge", "mcast"},
    {"xstats", "bridge", "stp"},
};

// A set of StatsSuite, a bit for each.
using StatsSuites = uint32_t;
constexpr bool contains(StatsSuites suites, StatsSuite suite) {
    return (suites >> static_cast<unsigned>(suite) & 1) != 0;
}

// ip stats show.
struct StatsShow {
    std::string device;  // empty: all
    StatsSuites suites = 0;
};

// ip stats set: switches counting in hardware.
struct StatsSet {
    std::string device;
    bool on = false;
};

// ip link xstats type bridge | bridge_slave.
struct LinkXstats {
    enum class Only : uint8_t { all, multicast, stp };
    bool slave = false;
    std::string device;  // empty: all
    Only only = Only::all;
};

// ip link afstats.
struct LinkAfstats {
    std::string device;  // empty: all
};

}  // namespace nlsh
