#include <linux/if_link.h>
#include <linux/if_vlan.h>

#include "parser/ip/link/kind/kind.h"

namespace nlsh {
namespace {

// FROM:TO …: what follows as long as it looks like one.
Parsed<void> read_qos_map(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    LinkNest map;
    while (!arguments.empty() && arguments.peek().find(':') != std::string_view::npos) {
        const std::string_view word = arguments.take();
        const size_t colon = word.find(':');
        const auto from = parse_u32(word.substr(0, colon));
        const auto to = parse_u32(word.substr(colon + 1));
        if (!from || !to) return declined("vlan: bad mapping");
        const ifla_vlan_qos_mapping mapping{.from = *from, .to = *to};
        map.attributes.push_back({IFLA_VLAN_QOS_MAPPING, bytes_of(mapping)});
    }
    if (map.attributes.empty()) return declined("vlan: no mapping");
    return scope.put(option.attribute, std::move(map));
}

constexpr LinkOption options[] = {
    {"protocol",
     IFLA_VLAN_PROTOCOL,
     read_vlan_protocol,
     0,
     {},
     Spelling::prefix,
     "protocol is invalid"},
    {"id", IFLA_VLAN_ID, read_u16, 0, {}, Spelling::prefix, "id is invalid"},
    {"reorder_hdr", IFLA_VLAN_FLAGS, read_bit, VLAN_FLAG_REORDER_HDR},
    {"gvrp", IFLA_VLAN_FLAGS, read_bit, VLAN_FLAG_GVRP},
    {"mvrp", IFLA_VLAN_FLAGS, read_bit, VLAN_FLAG_MVRP},
    {"loose_binding", IFLA_VLAN_FLAGS, read_bit, VLAN_FLAG_LOOSE_BINDING},
    {"bridge_binding", IFLA_VLAN_FLAGS, read_bit, VLAN_FLAG_BRIDGE_BINDING},
    {"ingress-qos-map", IFLA_VLAN_INGRESS_QOS, read_qos_map},
    {"egress-qos-map", IFLA_VLAN_EGRESS_QOS, read_qos_map},
};

Parsed<void> finish(OptionScope& scope) {
    scope.move_to_end(IFLA_VLAN_FLAGS);
    return {};
}

}  // namespace

const LinkKind vlan_kind{"vlan", options, finish};

}  // namespace nlsh
