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
        {"geneve", geneve_fields}, {"ifb", {}, false},          {"ipvlan", ipvlan_fields},
        {"ipvtap", ipvlan_fields}, {"macvlan", macvlan_fields}, {"macvtap", macvlan_fields},
        {"nlmon", {}, false},      {"tun", tun_fields},         {"veth", {}, false},
        {"vlan", vlan_fields},     {"vrf", vrf_table},          {"vxlan", vxlan_fields},
    };
    return find(kinds, name);
}

const Kind* find_slave_kind(std::string_view name) {
    static const Kind kinds[] = {
        {"bond", bond_slave_fields},
        {"bridge", bridge_slave_fields},
        {"vrf", vrf_slave_table},
    };
    return find(kinds, name);
}

}  // namespace nlsh
