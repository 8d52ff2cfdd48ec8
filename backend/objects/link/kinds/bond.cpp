// Bonds and their members.
#include <fmt/format.h>
#include <linux/if_link.h>
#include <sys/socket.h>

#include <algorithm>

#include "backend/objects/link/kinds/codec.h"
#include "backend/render/format.h"
#include "parser/ip/newer_kernel.h"
#include "parser/ip/refusal.h"
#include "parser/try.h"

namespace nlsh {
namespace {

constexpr size_t max_targets = 16;  // the bonding driver's BOND_MAX_ARP_TARGETS

constexpr std::string_view modes[] = {"balance-rr", "active-backup", "balance-xor", "broadcast",
                                      "802.3ad",    "balance-tlb",   "balance-alb"};
constexpr std::string_view arp_validations[] = {"none",   "active",        "backup",       "all",
                                                "filter", "filter_active", "filter_backup"};
constexpr std::string_view any_all[] = {"any", "all"};
constexpr std::string_view reselections[] = {"always", "better", "failure"};
constexpr std::string_view fail_over[] = {"none", "active", "follow"};
constexpr std::string_view hash_policies[] = {"layer2",   "layer3+4", "layer2+3",
                                              "encap2+3", "encap3+4", "vlan+srcmac"};
constexpr std::string_view lacp_rates[] = {"slow", "fast"};
constexpr std::string_view off_on[] = {"off", "on"};
constexpr std::string_view selections[] = {"stable", "bandwidth", "count"};

// A name, or its number.
template <typename T>
Parsed<void> read_index(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    const auto word = TRY(arguments.value(row.word));
    auto index = name_index(row.names, word);
    const bool digit = word.size() == 1 && word.front() >= '0' && word.front() <= '9';
    if (!index && digit && word.front() - '0' < static_cast<int>(row.names.size())) {
        index = static_cast<uint8_t>(word.front() - '0');
    }
    // iproute2 accepts any number, even after blanks and a sign.
    const bool number = word.find_first_of("+ \t\n\v\f\r0123456789") == 0 || word.starts_with("-0");
    if (!index && number) return declined("bond: a number for a name");
    if (!index) return std::unexpected(index.error());
    return scope.put_number(row.attribute, T{*index});
}

// Reads a list of addresses with commas; the row's parameter is their family.
Parsed<void> read_targets(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    const auto word = TRY(arguments.value(row.word));
    LinkNest targets;
    for (std::string_view rest = word; !rest.empty();) {
        const std::string_view text = rest.substr(0, rest.find(','));
        const auto address = parse_address(text, static_cast<uint8_t>(row.parameter));
        if (!address || address->size == 0) return declined("bond: bad target");
        const auto place = static_cast<uint16_t>(targets.attributes.size());
        const auto bytes = address->span();
        targets.attributes.push_back({place, std::string(bytes.begin(), bytes.end())});
        if (text.size() + 1 == rest.size()) return declined("bond: trailing comma");
        rest.remove_prefix(std::min(rest.size(), text.size() + 1));
    }
    const size_t size = targets.attributes.size();
    if (size == 0 || size > max_targets) return declined("bond: number of targets");
    return scope.put(row.attribute, std::move(targets));
}

// Prints an array of addresses, without a comma before the first.
void print_targets(const KindOutput& output, const LinkRow& row, Attribute value) {
    Printer& printer = output.printer;
    printer.open_array(row.json_key());
    const std::string label = before(row);
    std::string_view before = label;
    for (const Attribute target : AttributeRange(value.bytes())) {
        const uint8_t family = target.size() == 4 ? AF_INET : AF_INET6;
        printer.string({}, before, format_address(family, target.bytes()), {});
        before = ",";
    }
    if (before == ",") printer.text(" ");
    printer.close_array();
}

void print_validation(const KindOutput& output, const LinkRow& row, Attribute value) {
    if (value.u32() != 0) return print_word(output, row, value);
    output.printer.null(row.json_key(), "arp_validate none ");
}

// clang-format off
constexpr LinkRow ad_info_rows[] = {
    printed(IFLA_BOND_AD_INFO_AGGREGATOR, print_number, "ad_aggregator", "aggregator"),
    printed(IFLA_BOND_AD_INFO_NUM_PORTS, print_number, "ad_num_ports", "num_ports"),
    printed(IFLA_BOND_AD_INFO_ACTOR_KEY, print_number, "ad_actor_key", "actor_key"),
    printed(IFLA_BOND_AD_INFO_PARTNER_KEY, print_number, "ad_partner_key", "partner_key"),
    printed(IFLA_BOND_AD_INFO_PARTNER_MAC, print_hardware_address, "ad_partner_mac", "partner_mac"),
};
// clang-format on

void print_ad_info(const KindOutput& output, const LinkRow& row, Attribute value) {
    const KindAttributes attributes(value);
    output.printer.open_object(row.json_key());
    print_rows({output.printer, output.names, output.context, attributes}, ad_info_rows);
    output.printer.close_object();
}

constexpr Codec name8{read_index<uint8_t>, print_word, invalid};
constexpr Codec name32{read_index<uint32_t>, print_word, invalid};

// clang-format off
constexpr LinkRow rows[] = {
    {.word = "mode", .attribute = IFLA_BOND_MODE, .codec = name8, .names = modes},
    {.word = "active_slave", .attribute = IFLA_BOND_ACTIVE_SLAVE, .codec = device},
    {.word = "clear_active_slave", .attribute = IFLA_BOND_ACTIVE_SLAVE, .codec = {set_u32}},
    {.word = "miimon", .attribute = IFLA_BOND_MIIMON, .codec = checked_u32},
    {.word = "updelay", .attribute = IFLA_BOND_UPDELAY, .codec = checked_u32},
    {.word = "downdelay", .attribute = IFLA_BOND_DOWNDELAY, .codec = checked_u32},
    {.word = "peer_notify_delay", .attribute = IFLA_BOND_PEER_NOTIF_DELAY, .codec = checked_u32},
    {.word = "use_carrier", .attribute = IFLA_BOND_USE_CARRIER, .codec = checked_u8},
    {.word = "arp_interval", .attribute = IFLA_BOND_ARP_INTERVAL, .codec = checked_u32},
    {.word = "arp_missed_max", .attribute = IFLA_BOND_MISSED_MAX, .codec = u8, .exact = true,
     .since = Trait::words_of_6_1},
    {.word = "arp_ip_target", .attribute = IFLA_BOND_ARP_IP_TARGET,
     .codec = {read_targets, print_targets}, .parameter = AF_INET},
    {.word = "ns_ip6_target", .attribute = IFLA_BOND_NS_IP6_TARGET,
     .codec = {read_targets, print_targets}, .parameter = AF_INET6, .exact = true,
     .since = Trait::words_of_6_1},
    {.word = "arp_validate", .attribute = IFLA_BOND_ARP_VALIDATE,
     .codec = {read_index<uint32_t>, print_validation}, .names = arp_validations,
     .complaint = invalid},
    {.word = "arp_all_targets", .attribute = IFLA_BOND_ARP_ALL_TARGETS, .codec = name32,
     .names = any_all},
    {.word = "primary", .attribute = IFLA_BOND_PRIMARY, .codec = device},
    {.word = "primary_reselect", .attribute = IFLA_BOND_PRIMARY_RESELECT, .codec = name8,
     .names = reselections},
    {.word = "fail_over_mac", .attribute = IFLA_BOND_FAIL_OVER_MAC, .codec = name8,
     .names = fail_over},
    {.word = "xmit_hash_policy", .attribute = IFLA_BOND_XMIT_HASH_POLICY, .codec = name8,
     .names = hash_policies},
    {.word = "resend_igmp", .attribute = IFLA_BOND_RESEND_IGMP, .codec = checked_u32},
    {.word = "num_grat_arp", .also = {"num_unsol_na"}, .attribute = IFLA_BOND_NUM_PEER_NOTIF,
     .codec = u8, .complaint = "invalid num_grat_arp|num_unsol_na", .key = "num_peer_notif"},
    {.word = "all_slaves_active", .attribute = IFLA_BOND_ALL_SLAVES_ACTIVE, .codec = checked_u8},
    {.word = "lacp_strict", .attribute = newer::IFLA_BOND_LACP_STRICT, .codec = on_off,
     .since = Trait::bond_lacp_strict},
    {.word = "min_links", .attribute = IFLA_BOND_MIN_LINKS, .codec = checked_u32},
    {.word = "lp_interval", .attribute = IFLA_BOND_LP_INTERVAL, .codec = checked_u32},
    {.word = "packets_per_slave", .attribute = IFLA_BOND_PACKETS_PER_SLAVE, .codec = checked_u32},
    {.word = "lacp_active", .attribute = IFLA_BOND_AD_LACP_ACTIVE, .codec = name8, .names = off_on,
     .exact = true, .key = "ad_lacp_active", .since = Trait::words_of_5_15},
    {.word = "lacp_rate", .attribute = IFLA_BOND_AD_LACP_RATE, .codec = name8, .names = lacp_rates,
     .key = "ad_lacp_rate"},
    {.word = "coupled_control", .attribute = newer::IFLA_BOND_COUPLED_CONTROL, .codec = on_off,
     .since = Trait::bond_coupled_control},
    {.word = "broadcast_neighbor", .attribute = newer::IFLA_BOND_BROADCAST_NEIGH,
     .codec = on_off, .exact = true, .since = Trait::bond_broadcast_neighbor},
    {.word = "ad_select", .attribute = IFLA_BOND_AD_SELECT, .codec = name8, .names = selections},
    {.attribute = IFLA_BOND_AD_INFO, .codec = {.print = print_ad_info}, .key = "ad_info"},
    {.word = "ad_actor_sys_prio", .attribute = IFLA_BOND_AD_ACTOR_SYS_PRIO, .codec = checked_u16},
    {.word = "ad_user_port_key", .attribute = IFLA_BOND_AD_USER_PORT_KEY, .codec = checked_u16},
    {.word = "ad_actor_system", .attribute = IFLA_BOND_AD_ACTOR_SYSTEM, .codec = mac},
    {.word = "tlb_dynamic_lb", .attribute = IFLA_BOND_TLB_DYNAMIC_LB, .codec = checked_u8},
};
// clang-format on

constexpr std::string_view member_states[] = {"ACTIVE", "BACKUP"};
constexpr std::string_view churn_states[] = {"MONITOR", "CHURN", "NO_CHURN"};
constexpr std::string_view mii_states[] = {"UP", "GOING_DOWN", "DOWN", "GOING_BACK"};
// Bits of an 802.3ad port's state, from the lowest.
constexpr std::string_view port_states[] = {"active",    "short_timeout", "aggregating",
                                            "in_sync",   "collecting",    "distributing",
                                            "defaulted", "expired"};

void print_port_state(const KindOutput& output, const LinkRow& row, Attribute value) {
    Printer& printer = output.printer;
    const uint32_t state = value.u8();
    printer.number(row.json_key(), before(row), state, " ");
    printer.open_array(fmt::format("{}_str", row.json_key()));
    printer.text(fmt::format("{}_str <", row.text_label()));
    std::string_view before;
    for (size_t bit = 0; bit < std::size(port_states); ++bit) {
        if ((state >> bit & 1) == 0) continue;
        printer.string({}, before, port_states[bit], {});
        before = ",";
    }
    printer.text("> ");
    printer.close_array();
}

// clang-format off
constexpr LinkRow slave_rows[] = {
    {.attribute = IFLA_BOND_SLAVE_STATE, .codec = {.print = print_word}, .names = member_states,
     .label = "state"},
    {.attribute = IFLA_BOND_SLAVE_MII_STATUS, .codec = {.print = print_word}, .names = mii_states,
     .label = "mii_status"},
    printed(IFLA_BOND_SLAVE_LINK_FAILURE_COUNT, print_number, "link_failure_count"),
    printed(IFLA_BOND_SLAVE_PERM_HWADDR, print_hardware_address, "perm_hwaddr"),
    {.word = "queue_id", .attribute = IFLA_BOND_SLAVE_QUEUE_ID, .codec = u16},
    {.word = "prio", .attribute = IFLA_BOND_SLAVE_PRIO, .codec = {read_int, print_signed},
     .exact = true, .since = Trait::words_of_6_1},
    printed(IFLA_BOND_SLAVE_AD_AGGREGATOR_ID, print_number, "ad_aggregator_id"),
    printed(IFLA_BOND_SLAVE_AD_ACTOR_OPER_PORT_STATE, print_port_state, "ad_actor_oper_port_state"),
    printed(IFLA_BOND_SLAVE_AD_PARTNER_OPER_PORT_STATE, print_port_state,
            "ad_partner_oper_port_state"),
    {.attribute = newer::IFLA_BOND_SLAVE_AD_CHURN_ACTOR_STATE, .codec = {.print = print_word},
     .names = churn_states, .label = "churn_actor_state", .since = Trait::bond_churn_states},
    {.attribute = newer::IFLA_BOND_SLAVE_AD_CHURN_PARTNER_STATE, .codec = {.print = print_word},
     .names = churn_states, .label = "churn_partner_state", .since = Trait::bond_churn_states},
    {.word = "actor_port_prio", .attribute = newer::IFLA_BOND_SLAVE_ACTOR_PORT_PRIO, .codec = u16,
     .exact = true, .complaint = "actor prio is invalid", .since = Trait::bond_actor_port_prio},
};
// clang-format on

}  // namespace

extern constexpr LinkKind bond_kind{.name = "bond", .rows = rows};
extern constexpr LinkKind bond_slave_kind{.name = "bond_slave", .rows = slave_rows};

}  // namespace nlsh
