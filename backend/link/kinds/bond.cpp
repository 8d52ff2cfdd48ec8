// Bonds and their members.
#include <fmt/format.h>
#include <linux/if_link.h>
#include <sys/socket.h>

#include "backend/link/kinds/field.h"
#include "backend/render/format.h"

namespace nlsh {
namespace {

constexpr std::string_view modes[] = {"balance-rr", "active-backup", "balance-xor", "broadcast",
                                      "802.3ad",    "balance-tlb",   "balance-alb"};
constexpr std::string_view validations[] = {"none",   "active",        "backup",       "all",
                                            "filter", "filter_active", "filter_backup"};
constexpr std::string_view target_policies[] = {"any", "all"};
constexpr std::string_view reselections[] = {"always", "better", "failure"};
constexpr std::string_view fail_over_macs[] = {"none", "active", "follow"};
constexpr std::string_view hash_policies[] = {"layer2",   "layer3+4", "layer2+3",
                                              "encap2+3", "encap3+4", "vlan+srcmac"};
constexpr std::string_view off_on[] = {"off", "on"};
constexpr std::string_view lacp_rates[] = {"slow", "fast"};
constexpr std::string_view selections[] = {"stable", "bandwidth", "count"};

// An array of addresses, the first of them without a comma before it.
void print_targets(const KindOutput& output, const Field& field, Attribute value) {
    Printer& printer = output.printer;
    printer.open_array(field.key);
    const std::string label = fmt::format("{} ", field.label);
    std::string_view before = label;
    for (const Attribute target : AttributeRange(value.bytes())) {
        const uint8_t family = target.size() == 4 ? AF_INET : AF_INET6;
        printer.string({}, before, format_address(family, target.bytes()), {});
        before = ",";
    }
    if (before == ",") printer.text(" ");
    printer.close_array();
}

void print_validation(const KindOutput& output, const Field& field, Attribute value) {
    if (value.u32() != 0) return print_word(output, field, value);
    output.printer.null(field.key, "arp_validate none ");
}

constexpr Field ad_info_table[] = {
    {IFLA_BOND_AD_INFO_AGGREGATOR, print_number, "aggregator", "ad_aggregator"},
    {IFLA_BOND_AD_INFO_NUM_PORTS, print_number, "num_ports", "ad_num_ports"},
    {IFLA_BOND_AD_INFO_ACTOR_KEY, print_number, "actor_key", "ad_actor_key"},
    {IFLA_BOND_AD_INFO_PARTNER_KEY, print_number, "partner_key", "ad_partner_key"},
    {IFLA_BOND_AD_INFO_PARTNER_MAC, print_hardware_address, "partner_mac", "ad_partner_mac"},
};

void print_ad_info(const KindOutput& output, const Field& field, Attribute value) {
    const KindAttributes attributes(value);
    output.printer.open_object(field.key);
    print_fields({output.printer, output.names, output.context, attributes}, ad_info_table);
    output.printer.close_object();
}

constexpr Field bond_table[] = {
    {IFLA_BOND_MODE, print_word, "mode", "mode", modes},
    {IFLA_BOND_ACTIVE_SLAVE, print_device, "active_slave", "active_slave"},
    {IFLA_BOND_MIIMON, print_number, "miimon", "miimon"},
    {IFLA_BOND_UPDELAY, print_number, "updelay", "updelay"},
    {IFLA_BOND_DOWNDELAY, print_number, "downdelay", "downdelay"},
    {IFLA_BOND_PEER_NOTIF_DELAY, print_number, "peer_notify_delay", "peer_notify_delay"},
    {IFLA_BOND_USE_CARRIER, print_number, "use_carrier", "use_carrier"},
    {IFLA_BOND_ARP_INTERVAL, print_number, "arp_interval", "arp_interval"},
    {IFLA_BOND_MISSED_MAX, print_number, "arp_missed_max", "arp_missed_max"},
    {IFLA_BOND_ARP_IP_TARGET, print_targets, "arp_ip_target", "arp_ip_target"},
    {IFLA_BOND_NS_IP6_TARGET, print_targets, "ns_ip6_target", "ns_ip6_target"},
    {IFLA_BOND_ARP_VALIDATE, print_validation, "arp_validate", "arp_validate", validations},
    {IFLA_BOND_ARP_ALL_TARGETS, print_word, "arp_all_targets", "arp_all_targets", target_policies},
    {IFLA_BOND_PRIMARY, print_device, "primary", "primary"},
    {IFLA_BOND_PRIMARY_RESELECT, print_word, "primary_reselect", "primary_reselect", reselections},
    {IFLA_BOND_FAIL_OVER_MAC, print_word, "fail_over_mac", "fail_over_mac", fail_over_macs},
    {IFLA_BOND_XMIT_HASH_POLICY, print_word, "xmit_hash_policy", "xmit_hash_policy", hash_policies},
    {IFLA_BOND_RESEND_IGMP, print_number, "resend_igmp", "resend_igmp"},
    {IFLA_BOND_NUM_PEER_NOTIF, print_number, "num_peer_notif", "num_grat_arp"},
    {IFLA_BOND_ALL_SLAVES_ACTIVE, print_number, "all_slaves_active", "all_slaves_active"},
    {IFLA_BOND_MIN_LINKS, print_number, "min_links", "min_links"},
    {IFLA_BOND_LP_INTERVAL, print_number, "lp_interval", "lp_interval"},
    {IFLA_BOND_PACKETS_PER_SLAVE, print_number, "packets_per_slave", "packets_per_slave"},
    {IFLA_BOND_AD_LACP_ACTIVE, print_word, "ad_lacp_active", "lacp_active", off_on},
    {IFLA_BOND_AD_LACP_RATE, print_word, "ad_lacp_rate", "lacp_rate", lacp_rates},
    {IFLA_BOND_AD_SELECT, print_word, "ad_select", "ad_select", selections},
    {IFLA_BOND_AD_INFO, print_ad_info, "ad_info", ""},
    {IFLA_BOND_AD_ACTOR_SYS_PRIO, print_number, "ad_actor_sys_prio", "ad_actor_sys_prio"},
    {IFLA_BOND_AD_USER_PORT_KEY, print_number, "ad_user_port_key", "ad_user_port_key"},
    {IFLA_BOND_AD_ACTOR_SYSTEM, print_hardware_address, "ad_actor_system", "ad_actor_system"},
    {IFLA_BOND_TLB_DYNAMIC_LB, print_number, "tlb_dynamic_lb", "tlb_dynamic_lb"},
};

constexpr std::string_view member_states[] = {"ACTIVE", "BACKUP"};
constexpr std::string_view mii_states[] = {"UP", "GOING_DOWN", "DOWN", "GOING_BACK"};
// Bits of an 802.3ad port's state, from the lowest.
constexpr std::string_view port_states[] = {"active",    "short_timeout", "aggregating",
                                            "in_sync",   "collecting",    "distributing",
                                            "defaulted", "expired"};

void print_port_state(const KindOutput& output, const Field& field, Attribute value) {
    Printer& printer = output.printer;
    const uint32_t state = value.u8();
    printer.number(field.key, fmt::format("{} ", field.label), state, " ");
    printer.open_array(fmt::format("{}_str", field.key));
    printer.text(fmt::format("{}_str <", field.label));
    std::string_view before;
    for (size_t bit = 0; bit < std::size(port_states); ++bit) {
        if ((state >> bit & 1) == 0) continue;
        printer.string({}, before, port_states[bit], {});
        before = ",";
    }
    printer.text("> ");
    printer.close_array();
}

constexpr Field bond_slave_table[] = {
    {IFLA_BOND_SLAVE_STATE, print_word, "state", "state", member_states},
    {IFLA_BOND_SLAVE_MII_STATUS, print_word, "mii_status", "mii_status", mii_states},
    {IFLA_BOND_SLAVE_LINK_FAILURE_COUNT, print_number, "link_failure_count", "link_failure_count"},
    {IFLA_BOND_SLAVE_PERM_HWADDR, print_hardware_address, "perm_hwaddr", "perm_hwaddr"},
    {IFLA_BOND_SLAVE_QUEUE_ID, print_number, "queue_id", "queue_id"},
    {IFLA_BOND_SLAVE_PRIO, print_signed, "prio", "prio"},
    {IFLA_BOND_SLAVE_AD_AGGREGATOR_ID, print_number, "ad_aggregator_id", "ad_aggregator_id"},
    {IFLA_BOND_SLAVE_AD_ACTOR_OPER_PORT_STATE, print_port_state, "ad_actor_oper_port_state",
     "ad_actor_oper_port_state"},
    {IFLA_BOND_SLAVE_AD_PARTNER_OPER_PORT_STATE, print_port_state, "ad_partner_oper_port_state",
     "ad_partner_oper_port_state"},
};

}  // namespace

const std::span<const Field> bond_fields = bond_table;
const std::span<const Field> bond_slave_fields = bond_slave_table;

}  // namespace nlsh
