// The options of a bridge's VLANs: words of `bridge vlan set` and `global set`, and items of
// `bridge -d vlan show` and `global show`.
#pragma once

#include <linux/if_bridge.h>

#include <cstdint>
#include <string_view>

#include "parser/ip/newer_kernel.h"
#include "parser/ip/traits/traits.h"

namespace nlsh {

struct VlanOption {
    enum class Form : uint8_t { number, on_off, state };

    std::string_view word;
    uint16_t type;
    uint8_t size;  // bytes
    Form form = Form::number;
    bool read = true;  // a set takes the word
    bool exact = true;
    Trait since = Trait::always;
    Trait until = Trait::never;
};

// BRIDGE_VLANDB_ENTRY_*, in the order of printing.
inline constexpr VlanOption vlan_options[] = {
    {.word = "state",
     .type = BRIDGE_VLANDB_ENTRY_STATE,
     .size = 1,
     .form = VlanOption::Form::state},
    {.word = "mcast_router", .type = BRIDGE_VLANDB_ENTRY_MCAST_ROUTER, .size = 1},
    {.word = "mcast_n_groups",
     .type = newer::BRIDGE_VLANDB_ENTRY_MCAST_N_GROUPS,
     .size = 4,
     .read = false,
     .since = Trait::port_group_limits},
    {.word = "mcast_max_groups",
     .type = newer::BRIDGE_VLANDB_ENTRY_MCAST_MAX_GROUPS,
     .size = 4,
     .since = Trait::port_group_limits},
    {.word = "neigh_suppress",
     .type = newer::BRIDGE_VLANDB_ENTRY_NEIGH_SUPPRESS,
     .size = 1,
     .form = VlanOption::Form::on_off,
     .since = Trait::port_neigh_vlan_suppress},
    {.word = "neigh_forward_grat",
     .type = newer::BRIDGE_VLANDB_ENTRY_NEIGH_FORWARD_GRAT,
     .size = 1,
     .form = VlanOption::Form::on_off,
     .since = Trait::port_neigh_forward_grat},
};

// The same for BRIDGE_VLANDB_GOPTS_*.
inline constexpr VlanOption global_vlan_options[] = {
    {.word = "mcast_snooping", .type = BRIDGE_VLANDB_GOPTS_MCAST_SNOOPING, .size = 1},
    {.word = "mcast_querier", .type = BRIDGE_VLANDB_GOPTS_MCAST_QUERIER, .size = 1},
    {.word = "mcast_igmp_version", .type = BRIDGE_VLANDB_GOPTS_MCAST_IGMP_VERSION, .size = 1},
    {.word = "mcast_mld_version", .type = BRIDGE_VLANDB_GOPTS_MCAST_MLD_VERSION, .size = 1},
    {.word = "mcast_last_member_count",
     .type = BRIDGE_VLANDB_GOPTS_MCAST_LAST_MEMBER_CNT,
     .size = 4},
    {.word = "mcast_last_member_interval",
     .type = BRIDGE_VLANDB_GOPTS_MCAST_LAST_MEMBER_INTVL,
     .size = 8},
    {.word = "mcast_startup_query_count",
     .type = BRIDGE_VLANDB_GOPTS_MCAST_STARTUP_QUERY_CNT,
     .size = 4},
    {.word = "mcast_startup_query_interval",
     .type = BRIDGE_VLANDB_GOPTS_MCAST_STARTUP_QUERY_INTVL,
     .size = 8},
    {.word = "mcast_membership_interval",
     .type = BRIDGE_VLANDB_GOPTS_MCAST_MEMBERSHIP_INTVL,
     .size = 8},
    {.word = "mcast_querier_interval", .type = BRIDGE_VLANDB_GOPTS_MCAST_QUERIER_INTVL, .size = 8},
    {.word = "mcast_query_interval", .type = BRIDGE_VLANDB_GOPTS_MCAST_QUERY_INTVL, .size = 8},
    {.word = "mcast_query_response_interval",
     .type = BRIDGE_VLANDB_GOPTS_MCAST_QUERY_RESPONSE_INTVL,
     .size = 8},
    {.word = "msti", .type = BRIDGE_VLANDB_GOPTS_MSTI, .size = 2, .since = Trait::bridge_vlan_msti},
};

}  // namespace nlsh
