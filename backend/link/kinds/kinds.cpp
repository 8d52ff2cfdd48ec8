// The kinds of links that are printed with -d, and the small ones' fields.
#include <linux/if_link.h>

#include <algorithm>
#include <iterator>

#include "backend/link/kinds/field.h"

namespace nlsh {
namespace {

constexpr Field vrf_table[] = {{IFLA_VRF_TABLE, print_number, "table", "table"}};
constexpr Field vrf_slave_table[] = {{IFLA_VRF_PORT_TABLE, print_number, "table", "table"}};

const Kind* find(std::span<const Kind> kinds, std::string_view name) {
    const auto place = std::ranges::find(kinds, name, &Kind::name);
    return place == kinds.end() ? nullptr : &*place;
}

}  // namespace

const Kind* find_kind(std::string_view name) {
    static const Kind kinds[] = {
        {"bond", bond_fields},     {"bridge", bridge_fields},   {"dummy", {}, false},
        {"erspan", gre_fields},    {"geneve", geneve_fields},   {"gre", gre_fields},
        {"gretap", gre_fields},    {"ifb", {}, false},          {"ip6erspan", gre6_fields},
        {"ip6gre", gre6_fields},   {"ip6gretap", gre6_fields},  {"ip6tnl", ip6tnl_fields},
        {"ipip", iptun_fields},    {"ipvlan", ipvlan_fields},   {"ipvtap", ipvlan_fields},
        {"macsec", macsec_fields}, {"macvlan", macvlan_fields}, {"macvtap", macvlan_fields},
        {"nlmon", {}, false},      {"sit", iptun_fields},       {"team", {}, false},
        {"tun", tun_fields},       {"vcan", {}, false},         {"veth", {}, false},
        {"vlan", vlan_fields},     {"vrf", vrf_table},          {"vti", vti_fields},
        {"vti6", vti_fields},      {"vxcan", {}, false},        {"vxlan", vxlan_fields},
    };
    return find(kinds, name);
}

const Kind* find_slave_kind(std::string_view name) {
    static const Kind kinds[] = {
        {"bond", bond_slave_fields},
        {"bridge", bridge_slave_fields},
        {"team", {}, false},
        {"vrf", vrf_slave_table},
    };
    return find(kinds, name);
}

}  // namespace nlsh
