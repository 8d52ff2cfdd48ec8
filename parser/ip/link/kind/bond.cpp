#include <arpa/inet.h>
#include <linux/if_link.h>

#include <algorithm>

#include "parser/ip/link/kind/kind.h"

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
Parsed<void> read_index(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    const auto word = arguments.value(option.word);
    if (!word) return std::unexpected(word.error());
    auto index = name_index(option.names, *word);
    const bool digit = word->size() == 1 && word->front() >= '0' && word->front() <= '9';
    if (!index && digit && word->front() - '0' < static_cast<int>(option.names.size())) {
        index = static_cast<uint8_t>(word->front() - '0');
    }
    // Of a number iproute2 asks no more.
    if (!index && !word->empty() && word->front() >= '0' && word->front() <= '9') {
        return declined("bond: a number for a name");
    }
    if (!index) return std::unexpected(index.error());
    return scope.put_number(option.attribute, T{*index});
}

// A comma-separated list of addresses of one family: the parameter.
Parsed<void> read_targets(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    const auto word = arguments.value(option.word);
    if (!word) return std::unexpected(word.error());
    LinkNest targets;
    for (std::string_view rest = *word; !rest.empty();) {
        const std::string_view text = rest.substr(0, rest.find(','));
        const auto address = parse_address(text, static_cast<uint8_t>(option.parameter));
        if (!address || address->size == 0) return declined("bond: bad target");
        const auto place = static_cast<uint16_t>(targets.attributes.size());
        const auto bytes = address->span();
        targets.attributes.push_back({place, std::string(bytes.begin(), bytes.end())});
        if (text.size() + 1 == rest.size()) return declined("bond: trailing comma");
        rest.remove_prefix(std::min(rest.size(), text.size() + 1));
    }
    const size_t size = targets.attributes.size();
    if (size == 0 || size > max_targets) return declined("bond: number of targets");
    return scope.put(option.attribute, std::move(targets));
}

Parsed<void> clear_active(OptionScope& scope, const LinkOption& option, Arguments&) {
    return scope.put_number(option.attribute, uint32_t{0});
}

constexpr LinkOption options[] = {
    {"mode", IFLA_BOND_MODE, read_index<uint8_t>, 0, modes, Spelling::prefix, "invalid mode"},
    {"active_slave", IFLA_BOND_ACTIVE_SLAVE, read_device},
    {"clear_active_slave", IFLA_BOND_ACTIVE_SLAVE, clear_active},
    {"miimon", IFLA_BOND_MIIMON, read_u32, 0, {}, Spelling::prefix, "invalid miimon"},
    {"updelay", IFLA_BOND_UPDELAY, read_u32, 0, {}, Spelling::prefix, "invalid updelay"},
    {"downdelay", IFLA_BOND_DOWNDELAY, read_u32, 0, {}, Spelling::prefix, "invalid downdelay"},
    {"peer_notify_delay",
     IFLA_BOND_PEER_NOTIF_DELAY,
     read_u32,
     0,
     {},
     Spelling::prefix,
     "invalid peer_notify_delay"},
    {"use_carrier", IFLA_BOND_USE_CARRIER, read_u8, 0, {}, Spelling::prefix, "invalid use_carrier"},
    {"arp_interval",
     IFLA_BOND_ARP_INTERVAL,
     read_u32,
     0,
     {},
     Spelling::prefix,
     "invalid arp_interval"},
    {"arp_ip_target", IFLA_BOND_ARP_IP_TARGET, read_targets, AF_INET},
    {"ns_ip6_target", IFLA_BOND_NS_IP6_TARGET, read_targets, AF_INET6, {}, Spelling::exact},
    {"arp_validate", IFLA_BOND_ARP_VALIDATE, read_index<uint32_t>, 0, arp_validations,
     Spelling::prefix, "invalid arp_validate"},
    {"arp_all_targets", IFLA_BOND_ARP_ALL_TARGETS, read_index<uint32_t>, 0, any_all,
     Spelling::prefix, "invalid arp_all_targets"},
    {"primary", IFLA_BOND_PRIMARY, read_device},
    {"primary_reselect", IFLA_BOND_PRIMARY_RESELECT, read_index<uint8_t>, 0, reselections,
     Spelling::prefix, "invalid primary_reselect"},
    {"fail_over_mac", IFLA_BOND_FAIL_OVER_MAC, read_index<uint8_t>, 0, fail_over, Spelling::prefix,
     "invalid fail_over_mac"},
    {"xmit_hash_policy", IFLA_BOND_XMIT_HASH_POLICY, read_index<uint8_t>, 0, hash_policies,
     Spelling::prefix, "invalid xmit_hash_policy"},
    {"resend_igmp",
     IFLA_BOND_RESEND_IGMP,
     read_u32,
     0,
     {},
     Spelling::prefix,
     "invalid resend_igmp"},
    {"num_grat_arp",
     IFLA_BOND_NUM_PEER_NOTIF,
     read_u8,
     0,
     {},
     Spelling::prefix,
     "invalid num_grat_arp|num_unsol_na"},
    {"num_unsol_na",
     IFLA_BOND_NUM_PEER_NOTIF,
     read_u8,
     0,
     {},
     Spelling::prefix,
     "invalid num_grat_arp|num_unsol_na"},
    {"all_slaves_active",
     IFLA_BOND_ALL_SLAVES_ACTIVE,
     read_u8,
     0,
     {},
     Spelling::prefix,
     "invalid all_slaves_active"},
    {"min_links", IFLA_BOND_MIN_LINKS, read_u32, 0, {}, Spelling::prefix, "invalid min_links"},
    {"lp_interval",
     IFLA_BOND_LP_INTERVAL,
     read_u32,
     0,
     {},
     Spelling::prefix,
     "invalid lp_interval"},
    {"packets_per_slave",
     IFLA_BOND_PACKETS_PER_SLAVE,
     read_u32,
     0,
     {},
     Spelling::prefix,
     "invalid packets_per_slave"},
    {"lacp_rate", IFLA_BOND_AD_LACP_RATE, read_index<uint8_t>, 0, lacp_rates, Spelling::prefix,
     "invalid lacp_rate"},
    {"lacp_active", IFLA_BOND_AD_LACP_ACTIVE, read_index<uint8_t>, 0, off_on, Spelling::exact,
     "invalid lacp_active"},
    {"ad_select", IFLA_BOND_AD_SELECT, read_index<uint8_t>, 0, selections, Spelling::prefix,
     "invalid ad_select"},
    {"ad_user_port_key",
     IFLA_BOND_AD_USER_PORT_KEY,
     read_u16,
     0,
     {},
     Spelling::prefix,
     "invalid ad_user_port_key"},
    {"ad_actor_sys_prio",
     IFLA_BOND_AD_ACTOR_SYS_PRIO,
     read_u16,
     0,
     {},
     Spelling::prefix,
     "invalid ad_actor_sys_prio"},
    {"ad_actor_system", IFLA_BOND_AD_ACTOR_SYSTEM, read_link_address},
    {"tlb_dynamic_lb",
     IFLA_BOND_TLB_DYNAMIC_LB,
     read_u8,
     0,
     {},
     Spelling::prefix,
     "invalid tlb_dynamic_lb"},
    {"arp_missed_max", IFLA_BOND_MISSED_MAX, read_u8, 0, {}, Spelling::exact},
};

constexpr LinkOption slave_options[] = {
    {"queue_id", IFLA_BOND_SLAVE_QUEUE_ID, read_u16},
    {"prio", IFLA_BOND_SLAVE_PRIO, read_int, 0, {}, Spelling::exact},
};

}  // namespace

const LinkKind bond_kind{"bond", options};
const LinkKind bond_slave_kind{"bond_slave", slave_options};

}  // namespace nlsh
