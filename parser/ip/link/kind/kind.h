// The kinds of links (`type KIND …`) and their options.
#pragma once

#include "parser/ip/link/kind/option.h"

namespace nlsh {

struct LinkKind {
    std::string_view name;
    std::span<const LinkOption> options;
    // What iproute2 adds or checks after the last option; null for nothing.
    Parsed<void> (*finish)(OptionScope&) = nullptr;
    // A change begins from what the link is: the kernel's answer, which may be an error, comes
    // before the first word's.
    bool asks_first = false;
};

// The words after `type`: the whole IFLA_LINKINFO.
Parsed<LinkAttribute> parse_link_info(const ParseContext& context, bool create,
                                      Arguments& arguments);

extern const LinkKind bond_kind, bond_slave_kind;
extern const LinkKind bridge_kind, bridge_slave_kind;
extern const LinkKind erspan_kind, ip6erspan_kind;
extern const LinkKind geneve_kind;
extern const LinkKind gre_kind, gretap_kind, ip6gre_kind, ip6gretap_kind;
extern const LinkKind ipip_kind, ip6tnl_kind, sit_kind;
extern const LinkKind ipvlan_kind, ipvtap_kind;
extern const LinkKind macsec_kind;
extern const LinkKind macvlan_kind, macvtap_kind;
extern const LinkKind veth_kind, vxcan_kind;
extern const LinkKind vlan_kind;
extern const LinkKind vrf_kind;
extern const LinkKind vti_kind, vti6_kind;
extern const LinkKind vxlan_kind;

}  // namespace nlsh
