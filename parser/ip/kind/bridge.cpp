#include <linux/if_bridge.h>
#include <linux/if_link.h>

#include "parser/ip/kind/kind.h"

namespace nlsh {
namespace {

constexpr uint32_t bool_option(unsigned bit) {
    return uint32_t{1} << bit;
}

// A number other than 0 is on.
Parsed<void> read_boolean(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    const auto word = arguments.value(option.word);
    if (!word) return std::unexpected(word.error());
    const auto value = parse_u8(*word);
    if (!value) return std::unexpected(value.error());
    scope.put_bits(option.attribute, option.parameter, *value != 0);
    return {};
}

constexpr LinkOption options[] = {
    {"forward_delay", IFLA_BR_FORWARD_DELAY, read_u32},
    {"hello_time", IFLA_BR_HELLO_TIME, read_u32},
    {"max_age", IFLA_BR_MAX_AGE, read_u32},
    {"ageing_time", IFLA_BR_AGEING_TIME, read_u32},
    {"stp_state", IFLA_BR_STP_STATE, read_u32},
    {"priority", IFLA_BR_PRIORITY, read_u16},
    {"vlan_filtering", IFLA_BR_VLAN_FILTERING, read_u8},
    {"vlan_protocol", IFLA_BR_VLAN_PROTOCOL, read_vlan_protocol},
    {"group_fwd_mask", IFLA_BR_GROUP_FWD_MASK, read_u16},
    {"group_address", IFLA_BR_GROUP_ADDR, read_link_address},
    {"fdb_flush", IFLA_BR_FDB_FLUSH, set_flag},
    {"vlan_default_pvid", IFLA_BR_VLAN_DEFAULT_PVID, read_u16},
    {"vlan_stats_enabled", IFLA_BR_VLAN_STATS_ENABLED, read_u8},
    {"vlan_stats_per_port", IFLA_BR_VLAN_STATS_PER_PORT, read_u8},
    {"mcast_router", IFLA_BR_MCAST_ROUTER, read_u8},
    {"mcast_snooping", IFLA_BR_MCAST_SNOOPING, read_u8},
    {"mcast_query_use_ifaddr", IFLA_BR_MCAST_QUERY_USE_IFADDR, read_u8},
    {"mcast_querier", IFLA_BR_MCAST_QUERIER, read_u8},
    {"mcast_hash_elasticity", IFLA_BR_MCAST_HASH_ELASTICITY, read_u32},
    {"mcast_hash_max", IFLA_BR_MCAST_HASH_MAX, read_u32},
    {"mcast_last_member_count", IFLA_BR_MCAST_LAST_MEMBER_CNT, read_u32},
    {"mcast_startup_query_count", IFLA_BR_MCAST_STARTUP_QUERY_CNT, read_u32},
    {"mcast_last_member_interval", IFLA_BR_MCAST_LAST_MEMBER_INTVL, read_u64},
    {"mcast_membership_interval", IFLA_BR_MCAST_MEMBERSHIP_INTVL, read_u64},
    {"mcast_querier_interval", IFLA_BR_MCAST_QUERIER_INTVL, read_u64},
    {"mcast_query_interval", IFLA_BR_MCAST_QUERY_INTVL, read_u64},
    {"mcast_query_response_interval", IFLA_BR_MCAST_QUERY_RESPONSE_INTVL, read_u64},
    {"mcast_startup_query_interval", IFLA_BR_MCAST_STARTUP_QUERY_INTVL, read_u64},
    {"mcast_stats_enabled", IFLA_BR_MCAST_STATS_ENABLED, read_u8},
    {"mcast_igmp_version", IFLA_BR_MCAST_IGMP_VERSION, read_u8},
    {"mcast_mld_version", IFLA_BR_MCAST_MLD_VERSION, read_u8},
    {"nf_call_iptables", IFLA_BR_NF_CALL_IPTABLES, read_u8},
    {"nf_call_ip6tables", IFLA_BR_NF_CALL_IP6TABLES, read_u8},
    {"nf_call_arptables", IFLA_BR_NF_CALL_ARPTABLES, read_u8},
    {"no_linklocal_learn",
     IFLA_BR_MULTI_BOOLOPT,
     read_boolean,
     bool_option(BR_BOOLOPT_NO_LL_LEARN),
     {},
     Spelling::exact},
    {"mcast_vlan_snooping",
     IFLA_BR_MULTI_BOOLOPT,
     read_boolean,
     bool_option(BR_BOOLOPT_MCAST_VLAN_SNOOPING),
     {},
     Spelling::exact},
};

Parsed<void> finish(OptionScope& scope) {
    scope.move_to_end(IFLA_BR_MULTI_BOOLOPT);
    return {};
}

}  // namespace

const LinkKind bridge_kind{"bridge", options, finish};

}  // namespace nlsh
