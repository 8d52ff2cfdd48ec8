// Bridges.
#include <linux/if_bridge.h>
#include <linux/if_link.h>

#include <algorithm>

#include "backend/objects/link/kinds/codec.h"
#include "parser/ip/newer_kernel.h"
#include "parser/try.h"

namespace nlsh {
namespace {

// Numbers other than 0 mean on.
Parsed<void> read_boolean(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    const auto word = TRY(arguments.value(row.word));
    const auto value = TRY(parse_u8(word));
    scope.put_bits(row.attribute, row.parameter, value != 0);
    return {};
}

void print_boolean(const KindOutput& output, const LinkRow& row, Attribute value) {
    const bool on = (value.as<br_boolopt_multi>().optval & row.parameter) != 0;
    output.printer.number(row.json_key(), before(row), on ? 1 : 0, " ");
}

// For a boolean that some kernels lack.
void print_known_boolean(const KindOutput& output, const LinkRow& row, Attribute value) {
    if ((value.as<br_boolopt_multi>().optmask & row.parameter) != 0)
        print_boolean(output, row, value);
}

// A boolean's parameter is its bit of IFLA_BR_MULTI_BOOLOPT.
constexpr Codec boolean{read_boolean, print_boolean};
constexpr Codec newer_boolean{read_boolean, print_known_boolean};

// Reads a full name: newer builds warn of an abbreviation.
Parsed<void> read_stp_mode(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    const auto word = TRY(arguments.value(row.word));
    const uint8_t index = TRY(begun_index(row, word));
    if (row.names[index] != word) return declined("bridge: stp_mode in short");
    return scope.put_number(row.attribute, uint32_t{index});
}

constexpr std::string_view stp_modes[] = {"auto", "user", "kernel"};

void print_root_id(const KindOutput& output, const LinkRow& row, Attribute value) {
    const Attribute its_own = output.attributes[IFLA_BR_BRIDGE_ID];
    // On a root bridge both ids are the same.
    if (its_own && std::ranges::equal(its_own.bytes(), value.bytes()))
        return print_bridge_id(output, row, value);
    const bool own = !output.context.has(output.printer.options(), Trait::bridge_root_id);
    print_bridge_id(output, row, own ? its_own : value);
}

// clang-format off
constexpr LinkRow rows[] = {
    {.word = "forward_delay", .attribute = IFLA_BR_FORWARD_DELAY, .codec = checked_u32},
    {.word = "hello_time", .attribute = IFLA_BR_HELLO_TIME, .codec = checked_u32},
    {.word = "max_age", .attribute = IFLA_BR_MAX_AGE, .codec = checked_u32},
    {.word = "ageing_time", .attribute = IFLA_BR_AGEING_TIME, .codec = checked_u32},
    {.word = "stp_state", .attribute = IFLA_BR_STP_STATE, .codec = checked_u32},
    {.word = "stp_mode", .attribute = newer::IFLA_BR_STP_MODE, .codec = {read_stp_mode, print_word},
     .names = stp_modes, .exact = true, .since = Trait::bridge_stp_mode},
    {.word = "priority", .attribute = IFLA_BR_PRIORITY, .codec = checked_u16},
    {.word = "vlan_filtering", .attribute = IFLA_BR_VLAN_FILTERING, .codec = checked_u8},
    {.word = "vlan_protocol", .attribute = IFLA_BR_VLAN_PROTOCOL, .codec = vlan_protocol,
     .complaint = invalid},
    printed(IFLA_BR_BRIDGE_ID, print_bridge_id, "bridge_id"),
    printed(IFLA_BR_ROOT_ID, print_root_id, "designated_root", "root_id"),
    printed(IFLA_BR_ROOT_PORT, print_number, "root_port"),
    printed(IFLA_BR_ROOT_PATH_COST, print_number, "root_path_cost"),
    printed(IFLA_BR_TOPOLOGY_CHANGE, print_number, "topology_change"),
    printed(IFLA_BR_TOPOLOGY_CHANGE_DETECTED, print_number, "topology_change_detected"),
    printed(IFLA_BR_HELLO_TIMER, print_timer, "hello_timer"),
    printed(IFLA_BR_TCN_TIMER, print_timer, "tcn_timer"),
    printed(IFLA_BR_TOPOLOGY_CHANGE_TIMER, print_timer, "topology_change_timer"),
    printed(IFLA_BR_GC_TIMER, print_timer, "gc_timer"),
    printed(newer::IFLA_BR_FDB_N_LEARNED, print_number, "fdb_n_learned", {},
            Trait::bridge_fdb_limit),
    {.word = "fdb_max_learned", .attribute = newer::IFLA_BR_FDB_MAX_LEARNED, .codec = checked_u32,
     .since = Trait::bridge_fdb_limit},
    {.word = "vlan_default_pvid", .attribute = IFLA_BR_VLAN_DEFAULT_PVID, .codec = checked_u16},
    {.word = "vlan_stats_enabled", .attribute = IFLA_BR_VLAN_STATS_ENABLED, .codec = checked_u8},
    {.word = "vlan_stats_per_port", .attribute = IFLA_BR_VLAN_STATS_PER_PORT, .codec = checked_u8},
    {.word = "group_fwd_mask", .attribute = IFLA_BR_GROUP_FWD_MASK,
     .codec = {read_u16, print_hex_mask}, .complaint = invalid},
    {.word = "group_address", .attribute = IFLA_BR_GROUP_ADDR, .codec = mac, .key = "group_addr"},
    {.word = "mcast_snooping", .attribute = IFLA_BR_MCAST_SNOOPING, .codec = checked_u8},
    {.word = "no_linklocal_learn", .attribute = IFLA_BR_MULTI_BOOLOPT, .codec = boolean,
     .parameter = 1 << BR_BOOLOPT_NO_LL_LEARN, .exact = true, .since = Trait::words_of_6_1},
    {.word = "mcast_vlan_snooping", .attribute = IFLA_BR_MULTI_BOOLOPT, .codec = boolean,
     .parameter = 1 << BR_BOOLOPT_MCAST_VLAN_SNOOPING, .exact = true, .since = Trait::words_of_6_1},
    {.word = "mst_enabled", .attribute = IFLA_BR_MULTI_BOOLOPT, .codec = boolean,
     .parameter = 1 << BR_BOOLOPT_MST_ENABLE, .exact = true, .since = Trait::bridge_mst_enabled},
    {.word = "mdb_offload_fail_notification", .attribute = IFLA_BR_MULTI_BOOLOPT,
     .codec = newer_boolean, .parameter = 1 << newer::BR_BOOLOPT_MDB_OFFLOAD_FAIL_NOTIFICATION,
     .exact = true, .complaint = invalid, .since = Trait::bridge_mdb_offload_notice},
    {.word = "fdb_local_vlan_0", .attribute = IFLA_BR_MULTI_BOOLOPT, .codec = newer_boolean,
     .parameter = 1 << newer::BR_BOOLOPT_FDB_LOCAL_VLAN_0, .exact = true, .complaint = invalid,
     .since = Trait::bridge_fdb_local_vlan_0},
    {.word = "mcast_router", .attribute = IFLA_BR_MCAST_ROUTER, .codec = checked_u8},
    {.word = "mcast_query_use_ifaddr", .attribute = IFLA_BR_MCAST_QUERY_USE_IFADDR,
     .codec = checked_u8},
    {.word = "mcast_querier", .attribute = IFLA_BR_MCAST_QUERIER, .codec = checked_u8},
    {.word = "mcast_hash_elasticity", .attribute = IFLA_BR_MCAST_HASH_ELASTICITY,
     .codec = checked_u32},
    {.word = "mcast_hash_max", .attribute = IFLA_BR_MCAST_HASH_MAX, .codec = checked_u32},
    {.word = "mcast_last_member_count", .attribute = IFLA_BR_MCAST_LAST_MEMBER_CNT,
     .codec = checked_u32, .key = "mcast_last_member_cnt"},
    {.word = "mcast_startup_query_count", .attribute = IFLA_BR_MCAST_STARTUP_QUERY_CNT,
     .codec = checked_u32, .key = "mcast_startup_query_cnt"},
    {.word = "mcast_last_member_interval", .attribute = IFLA_BR_MCAST_LAST_MEMBER_INTVL,
     .codec = checked_u64, .key = "mcast_last_member_intvl"},
    {.word = "mcast_membership_interval", .attribute = IFLA_BR_MCAST_MEMBERSHIP_INTVL,
     .codec = checked_u64, .key = "mcast_membership_intvl"},
    {.word = "mcast_querier_interval", .attribute = IFLA_BR_MCAST_QUERIER_INTVL,
     .codec = checked_u64, .key = "mcast_querier_intvl"},
    {.word = "mcast_query_interval", .attribute = IFLA_BR_MCAST_QUERY_INTVL, .codec = checked_u64,
     .key = "mcast_query_intvl"},
    {.word = "mcast_query_response_interval", .attribute = IFLA_BR_MCAST_QUERY_RESPONSE_INTVL,
     .codec = checked_u64, .key = "mcast_query_response_intvl"},
    {.word = "mcast_startup_query_interval", .attribute = IFLA_BR_MCAST_STARTUP_QUERY_INTVL,
     .codec = checked_u64, .key = "mcast_startup_query_intvl"},
    {.word = "mcast_stats_enabled", .attribute = IFLA_BR_MCAST_STATS_ENABLED, .codec = checked_u8},
    {.word = "mcast_igmp_version", .attribute = IFLA_BR_MCAST_IGMP_VERSION, .codec = checked_u8},
    {.word = "mcast_mld_version", .attribute = IFLA_BR_MCAST_MLD_VERSION, .codec = checked_u8},
    {.word = "nf_call_iptables", .attribute = IFLA_BR_NF_CALL_IPTABLES, .codec = checked_u8},
    {.word = "nf_call_ip6tables", .attribute = IFLA_BR_NF_CALL_IP6TABLES, .codec = checked_u8},
    {.word = "nf_call_arptables", .attribute = IFLA_BR_NF_CALL_ARPTABLES, .codec = checked_u8},
    {.word = "fdb_flush", .attribute = IFLA_BR_FDB_FLUSH, .codec = {set_flag}},
};
// clang-format on

Parsed<void> finish(OptionScope& scope) {
    scope.move_to_end(IFLA_BR_MULTI_BOOLOPT);
    return {};
}

}  // namespace

extern constexpr LinkKind bridge_kind{.name = "bridge", .rows = rows, .finish = finish};

}  // namespace nlsh
