// Bridges and bridge ports.
#include <fmt/format.h>
#include <linux/if_bridge.h>
#include <linux/if_link.h>

#include <algorithm>

#include "backend/link/kinds/field.h"
#include "backend/render/format.h"

namespace nlsh {
namespace {

// Hundredths of a second: `   0.00`; in JSON a number with two places.
void print_timer(const KindOutput& output, const Field& field, Attribute value) {
    const uint64_t time = value.u64();
    const uint64_t seconds = time / 100;
    const uint64_t rest = time % 100;
    if (output.printer.json()) {
        output.printer.json_literal(field.key, fmt::format("{}.{:02}", seconds, rest));
    } else {
        output.printer.text(fmt::format("{} {:4}.{:02} ", field.label, seconds, rest));
    }
}

// Priority and address, `8000.2:11:22:33:44:3`: the address's bytes without leading zeros.
std::string bridge_id_text(Bytes bytes) {
    if (bytes.size() < sizeof(ifla_bridge_id)) return {};
    std::string text = fmt::format("{:02x}{:02x}.", bytes[0], bytes[1]);
    for (size_t i = 2; i < sizeof(ifla_bridge_id); ++i) {
        text += fmt::format("{}{:x}", i == 2 ? "" : ":", bytes[i]);
    }
    return text;
}

void print_bridge_id(const KindOutput& output, const Field& field, Attribute value) {
    output.printer.string(field.key, fmt::format("{} ", field.label), bridge_id_text(value.bytes()),
                          " ");
}

// iproute2 before 6.5 prints the bridge's own id for its root.
void print_root_id(const KindOutput& output, const Field& field, Attribute) {
    print_bridge_id(output, field, output.attributes[IFLA_BR_BRIDGE_ID]);
}

// One bit of the boolean options.
template <uint32_t Option>
void print_option(const KindOutput& output, const Field& field, Attribute value) {
    const auto options = value.as<br_boolopt_multi>();
    output.printer.number(field.key, fmt::format("{} ", field.label),
                          (options.optval >> Option) & 1, " ");
}

constexpr Field bridge_table[] = {
    {IFLA_BR_FORWARD_DELAY, print_number, "forward_delay", "forward_delay"},
    {IFLA_BR_HELLO_TIME, print_number, "hello_time", "hello_time"},
    {IFLA_BR_MAX_AGE, print_number, "max_age", "max_age"},
    {IFLA_BR_AGEING_TIME, print_number, "ageing_time", "ageing_time"},
    {IFLA_BR_STP_STATE, print_number, "stp_state", "stp_state"},
    {IFLA_BR_PRIORITY, print_number, "priority", "priority"},
    {IFLA_BR_VLAN_FILTERING, print_number, "vlan_filtering", "vlan_filtering"},
    {IFLA_BR_VLAN_PROTOCOL, print_vlan_protocol, "vlan_protocol", "vlan_protocol"},
    {IFLA_BR_BRIDGE_ID, print_bridge_id, "bridge_id", "bridge_id"},
    {IFLA_BR_ROOT_ID, print_root_id, "root_id", "designated_root"},
    {IFLA_BR_ROOT_PORT, print_number, "root_port", "root_port"},
    {IFLA_BR_ROOT_PATH_COST, print_number, "root_path_cost", "root_path_cost"},
    {IFLA_BR_TOPOLOGY_CHANGE, print_number, "topology_change", "topology_change"},
    {IFLA_BR_TOPOLOGY_CHANGE_DETECTED, print_number, "topology_change_detected",
     "topology_change_detected"},
    {IFLA_BR_HELLO_TIMER, print_timer, "hello_timer", "hello_timer"},
    {IFLA_BR_TCN_TIMER, print_timer, "tcn_timer", "tcn_timer"},
    {IFLA_BR_TOPOLOGY_CHANGE_TIMER, print_timer, "topology_change_timer", "topology_change_timer"},
    {IFLA_BR_GC_TIMER, print_timer, "gc_timer", "gc_timer"},
    {IFLA_BR_VLAN_DEFAULT_PVID, print_number, "vlan_default_pvid", "vlan_default_pvid"},
    {IFLA_BR_VLAN_STATS_ENABLED, print_number, "vlan_stats_enabled", "vlan_stats_enabled"},
    {IFLA_BR_VLAN_STATS_PER_PORT, print_number, "vlan_stats_per_port", "vlan_stats_per_port"},
    {IFLA_BR_GROUP_FWD_MASK, print_hex_mask, "group_fwd_mask", "group_fwd_mask"},
    {IFLA_BR_GROUP_ADDR, print_hardware_address, "group_addr", "group_address"},
    {IFLA_BR_MCAST_SNOOPING, print_number, "mcast_snooping", "mcast_snooping"},
    {IFLA_BR_MULTI_BOOLOPT, print_option<BR_BOOLOPT_NO_LL_LEARN>, "no_linklocal_learn",
     "no_linklocal_learn"},
    {IFLA_BR_MULTI_BOOLOPT, print_option<BR_BOOLOPT_MCAST_VLAN_SNOOPING>, "mcast_vlan_snooping",
     "mcast_vlan_snooping"},
    {IFLA_BR_MCAST_ROUTER, print_number, "mcast_router", "mcast_router"},
    {IFLA_BR_MCAST_QUERY_USE_IFADDR, print_number, "mcast_query_use_ifaddr",
     "mcast_query_use_ifaddr"},
    {IFLA_BR_MCAST_QUERIER, print_number, "mcast_querier", "mcast_querier"},
    {IFLA_BR_MCAST_HASH_ELASTICITY, print_number, "mcast_hash_elasticity", "mcast_hash_elasticity"},
    {IFLA_BR_MCAST_HASH_MAX, print_number, "mcast_hash_max", "mcast_hash_max"},
    {IFLA_BR_MCAST_LAST_MEMBER_CNT, print_number, "mcast_last_member_cnt",
     "mcast_last_member_count"},
    {IFLA_BR_MCAST_STARTUP_QUERY_CNT, print_number, "mcast_startup_query_cnt",
     "mcast_startup_query_count"},
    {IFLA_BR_MCAST_LAST_MEMBER_INTVL, print_number, "mcast_last_member_intvl",
     "mcast_last_member_interval"},
    {IFLA_BR_MCAST_MEMBERSHIP_INTVL, print_number, "mcast_membership_intvl",
     "mcast_membership_interval"},
    {IFLA_BR_MCAST_QUERIER_INTVL, print_number, "mcast_querier_intvl", "mcast_querier_interval"},
    {IFLA_BR_MCAST_QUERY_INTVL, print_number, "mcast_query_intvl", "mcast_query_interval"},
    {IFLA_BR_MCAST_QUERY_RESPONSE_INTVL, print_number, "mcast_query_response_intvl",
     "mcast_query_response_interval"},
    {IFLA_BR_MCAST_STARTUP_QUERY_INTVL, print_number, "mcast_startup_query_intvl",
     "mcast_startup_query_interval"},
    {IFLA_BR_MCAST_STATS_ENABLED, print_number, "mcast_stats_enabled", "mcast_stats_enabled"},
    {IFLA_BR_MCAST_IGMP_VERSION, print_number, "mcast_igmp_version", "mcast_igmp_version"},
    {IFLA_BR_MCAST_MLD_VERSION, print_number, "mcast_mld_version", "mcast_mld_version"},
    {IFLA_BR_NF_CALL_IPTABLES, print_number, "nf_call_iptables", "nf_call_iptables"},
    {IFLA_BR_NF_CALL_IP6TABLES, print_number, "nf_call_ip6tables", "nf_call_ip6tables"},
    {IFLA_BR_NF_CALL_ARPTABLES, print_number, "nf_call_arptables", "nf_call_arptables"},
};

constexpr std::string_view port_states[] = {"disabled", "listening", "learning", "forwarding",
                                            "blocking"};

// The fast-leave bit once more, in text only.
void print_fast_leave_again(const KindOutput& output, const Field& field, Attribute value) {
    output.printer.text(fmt::format("{} {} ", field.label, value.u8() != 0 ? "on" : "off"));
}

// The link-local groups that are forwarded, each by its name or in hex.
void print_group_names(const KindOutput& output, const Field& field, Attribute value) {
    struct Group {
        unsigned bit;
        std::string_view name;
    };
    static constexpr Group groups[] = {{1U << 0, "stp"}, {1U << 2, "lacp"}, {1U << 14, "lldp"}};
    const unsigned mask = value.u16();
    std::string text;
    for (unsigned bit = 1; bit <= mask; bit <<= 1) {
        if ((mask & bit) == 0) continue;
        const auto* group = std::ranges::find(groups, bit, &Group::bit);
        text += text.empty() ? "" : ",";
        text += group != std::end(groups) ? std::string(group->name) : fmt::format("{:#x}", bit);
    }
    if (text.empty()) text = "0x0";
    output.printer.string(field.key, fmt::format("{} ", field.label), text, " ");
}

constexpr Field bridge_slave_table[] = {
    {IFLA_BRPORT_STATE, print_word, "state", "state", port_states},
    {IFLA_BRPORT_PRIORITY, print_number, "priority", "priority"},
    {IFLA_BRPORT_COST, print_number, "cost", "cost"},
    {IFLA_BRPORT_MODE, print_on_off, "hairpin", "hairpin"},
    {IFLA_BRPORT_GUARD, print_on_off, "guard", "guard"},
    {IFLA_BRPORT_PROTECT, print_on_off, "root_block", "root_block"},
    {IFLA_BRPORT_FAST_LEAVE, print_on_off, "fastleave", "fastleave"},
    {IFLA_BRPORT_LEARNING, print_on_off, "learning", "learning"},
    {IFLA_BRPORT_UNICAST_FLOOD, print_on_off, "flood", "flood"},
    {IFLA_BRPORT_ID, print_hex, "id", "port_id"},
    {IFLA_BRPORT_NO, print_hex, "no", "port_no"},
    {IFLA_BRPORT_DESIGNATED_PORT, print_number, "designated_port", "designated_port"},
    {IFLA_BRPORT_DESIGNATED_COST, print_number, "designated_cost", "designated_cost"},
    {IFLA_BRPORT_BRIDGE_ID, print_bridge_id, "bridge_id", "designated_bridge"},
    {IFLA_BRPORT_ROOT_ID, print_bridge_id, "root_id", "designated_root"},
    {IFLA_BRPORT_HOLD_TIMER, print_timer, "hold_timer", "hold_timer"},
    {IFLA_BRPORT_MESSAGE_AGE_TIMER, print_timer, "message_age_timer", "message_age_timer"},
    {IFLA_BRPORT_FORWARD_DELAY_TIMER, print_timer, "forward_delay_timer", "forward_delay_timer"},
    {IFLA_BRPORT_TOPOLOGY_CHANGE_ACK, print_number, "topology_change_ack", "topology_change_ack"},
    {IFLA_BRPORT_CONFIG_PENDING, print_number, "config_pending", "config_pending"},
    {IFLA_BRPORT_PROXYARP, print_on_off, "proxy_arp", "proxy_arp"},
    {IFLA_BRPORT_PROXYARP_WIFI, print_on_off, "proxy_arp_wifi", "proxy_arp_wifi"},
    {IFLA_BRPORT_MULTICAST_ROUTER, print_number, "multicast_router", "mcast_router"},
    {IFLA_BRPORT_FAST_LEAVE, print_fast_leave_again, "", "mcast_fast_leave"},
    {IFLA_BRPORT_MCAST_FLOOD, print_on_off, "mcast_flood", "mcast_flood"},
    {IFLA_BRPORT_BCAST_FLOOD, print_on_off, "bcast_flood", "bcast_flood"},
    {IFLA_BRPORT_MCAST_TO_UCAST, print_on_off, "mcast_to_unicast", "mcast_to_unicast"},
    {IFLA_BRPORT_NEIGH_SUPPRESS, print_on_off, "neigh_suppress", "neigh_suppress"},
    {IFLA_BRPORT_GROUP_FWD_MASK, print_hex_mask, "group_fwd_mask", "group_fwd_mask"},
    {IFLA_BRPORT_GROUP_FWD_MASK, print_group_names, "group_fwd_mask_str", "group_fwd_mask_str"},
    {IFLA_BRPORT_VLAN_TUNNEL, print_on_off, "vlan_tunnel", "vlan_tunnel"},
    {IFLA_BRPORT_ISOLATED, print_on_off, "isolated", "isolated"},
    {IFLA_BRPORT_LOCKED, print_on_off, "locked", "locked"},
    {IFLA_BRPORT_BACKUP_PORT, print_device, "backup_port", "backup_port"},
};

}  // namespace

const std::span<const Field> bridge_fields = bridge_table;
const std::span<const Field> bridge_slave_fields = bridge_slave_table;

}  // namespace nlsh
