#include <arpa/inet.h>
#include <linux/if_link.h>
#include <sys/socket.h>

#include "parser/ip/link/kind/kind.h"
#include "parser/ip/link/kind/tunnel.h"
#include "parser/ip/refusal.h"

namespace nlsh {
namespace {

constexpr uint16_t gpe_port = 4790;
constexpr auto strict_device = static_cast<uint32_t>(LinkDevice::Role::strict);

// srcport MIN MAX
Parsed<void> read_port_range(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    ifla_vxlan_port_range range{};
    for (auto* end : {&range.low, &range.high}) {
        const auto word = arguments.value(option.word);
        if (!word) return std::unexpected(word.error());
        const auto port = parse_u16(*word);
        if (!port) return std::unexpected(port.error());
        *end = htons(*port);
    }
    return scope.put_number(option.attribute, range);
}

constexpr LinkOption options[] = {
    {"id", IFLA_VXLAN_ID, read_vni, 0, {}, Spelling::prefix, "invalid id"},
    {"vni", IFLA_VXLAN_ID, read_vni, 0, {}, Spelling::prefix, "invalid id"},
    {"group", IFLA_VXLAN_GROUP, read_multicast, IFLA_VXLAN_GROUP6},
    {"remote", IFLA_VXLAN_GROUP, read_unicast, IFLA_VXLAN_GROUP6},
    {"local", IFLA_VXLAN_LOCAL, read_unicast, IFLA_VXLAN_LOCAL6},
    {"dev", IFLA_VXLAN_LINK, read_device, strict_device},
    {"ttl", IFLA_VXLAN_TTL, read_ttl_or_flag, IFLA_VXLAN_TTL_INHERIT},
    {"hoplimit", IFLA_VXLAN_TTL, read_ttl_or_flag, IFLA_VXLAN_TTL_INHERIT},
    {"tos", IFLA_VXLAN_TOS, read_tos},
    {"dsfield", IFLA_VXLAN_TOS, read_tos},
    {"df",
     IFLA_VXLAN_DF,
     read_fragment,
     0,
     {},
     Spelling::prefix,
     "DF must be 'unset', 'set' or 'inherit'"},
    {"flowlabel", IFLA_VXLAN_LABEL, read_flow_label},
    {"ageing", IFLA_VXLAN_AGEING, read_u32_or_none},
    {"maxaddress", IFLA_VXLAN_LIMIT, read_u32_or_unlimited},
    {"port", IFLA_VXLAN_PORT_RANGE, read_port_range},
    {"srcport", IFLA_VXLAN_PORT_RANGE, read_port_range},
    {"dstport", IFLA_VXLAN_PORT, read_port, 0, {}, Spelling::prefix, "dst port"},
    {"learning", IFLA_VXLAN_LEARNING, set_u8, 1},
    {"nolearning", IFLA_VXLAN_LEARNING, set_u8, 0},
    {"proxy", IFLA_VXLAN_PROXY, set_u8, 1},
    {"noproxy", IFLA_VXLAN_PROXY, set_u8, 0},
    {"rsc", IFLA_VXLAN_RSC, set_u8, 1},
    {"norsc", IFLA_VXLAN_RSC, set_u8, 0},
    {"l2miss", IFLA_VXLAN_L2MISS, set_u8, 1},
    {"nol2miss", IFLA_VXLAN_L2MISS, set_u8, 0},
    {"l3miss", IFLA_VXLAN_L3MISS, set_u8, 1},
    {"nol3miss", IFLA_VXLAN_L3MISS, set_u8, 0},
    {"udpcsum", IFLA_VXLAN_UDP_CSUM, set_u8, 1},
    {"noudpcsum", IFLA_VXLAN_UDP_CSUM, set_u8, 0},
    {"udp6zerocsumtx", IFLA_VXLAN_UDP_ZERO_CSUM6_TX, set_u8, 1},
    {"noudp6zerocsumtx", IFLA_VXLAN_UDP_ZERO_CSUM6_TX, set_u8, 0},
    {"udp6zerocsumrx", IFLA_VXLAN_UDP_ZERO_CSUM6_RX, set_u8, 1},
    {"noudp6zerocsumrx", IFLA_VXLAN_UDP_ZERO_CSUM6_RX, set_u8, 0},
    {"remcsumtx", IFLA_VXLAN_REMCSUM_TX, set_u8, 1},
    {"noremcsumtx", IFLA_VXLAN_REMCSUM_TX, set_u8, 0},
    {"remcsumrx", IFLA_VXLAN_REMCSUM_RX, set_u8, 1},
    {"noremcsumrx", IFLA_VXLAN_REMCSUM_RX, set_u8, 0},
    {"external", IFLA_VXLAN_COLLECT_METADATA, set_u8, 1},
    {"noexternal", IFLA_VXLAN_COLLECT_METADATA, set_u8, 0},
    {"vnifilter", IFLA_VXLAN_VNIFILTER, set_u8, 1, {}, Spelling::exact},
    {"novnifilter", IFLA_VXLAN_VNIFILTER, set_u8, 0, {}, Spelling::exact},
    {"gbp", IFLA_VXLAN_GBP, set_flag},
    {"gpe", IFLA_VXLAN_GPE, set_flag},
};

bool is_multicast_group(const OptionScope& scope) {
    const auto* ipv4 = scope.bytes(IFLA_VXLAN_GROUP);
    const auto* ipv6 = scope.bytes(IFLA_VXLAN_GROUP6);
    return (ipv4 != nullptr && (ipv4->front() & 0xf0) == 0xe0) ||
           (ipv6 != nullptr && static_cast<uint8_t>(ipv6->front()) == 0xff);
}

// Combinations that iproute2 refuses.
Parsed<void> check(const OptionScope& scope) {
    const auto* metadata = scope.bytes(IFLA_VXLAN_COLLECT_METADATA);
    const bool external = metadata != nullptr && metadata->front() != 0;
    const bool id = scope.has(IFLA_VXLAN_ID);
    if (external && id) return refused("vxlan: both 'external' and vni cannot be specified\n", 1);
    if (scope.has(IFLA_VXLAN_VNIFILTER) && !external) return declined("vxlan: vnifilter");
    if (scope.create() && !external && !id) {
        return refused("vxlan: missing virtual network identifier\n", 1);
    }
    if (is_multicast_group(scope) && !scope.has(IFLA_VXLAN_LINK)) {
        return refused("vxlan: 'group' requires 'dev' to be specified\n", 1);
    }
    // With -6 an address that isn't said is "any", and sent.
    if (scope.context().options.family == AF_INET6) return declined("vxlan: -6");
    const bool ipv4 = scope.has(IFLA_VXLAN_GROUP) || scope.has(IFLA_VXLAN_LOCAL);
    const bool ipv6 = scope.has(IFLA_VXLAN_GROUP6) || scope.has(IFLA_VXLAN_LOCAL6);
    if (ipv4 && ipv6) return declined("vxlan: addresses of two families");
    if (scope.has(IFLA_VXLAN_TTL) && scope.has(IFLA_VXLAN_TTL_INHERIT)) {
        return declined("vxlan: two values of ttl");
    }
    return {};
}

// iproute2 sends these last, and LEARNING always for a new link. Port 0 is the kernel's own: sent
// for a new link, where no port at all means a warning (backend/link/kind_rules.h).
Parsed<void> finish(OptionScope& scope) {
    if (const auto checked = check(scope); !checked) return checked;
    if (scope.create() && !scope.has(IFLA_VXLAN_LEARNING)) {
        const auto* metadata = scope.bytes(IFLA_VXLAN_COLLECT_METADATA);
        const bool external = metadata != nullptr && metadata->front() != 0;
        if (const auto put = scope.put_number(IFLA_VXLAN_LEARNING, uint8_t{!external}); !put) {
            return put;
        }
    }
    if (scope.has(IFLA_VXLAN_GPE) && !scope.has(IFLA_VXLAN_PORT)) {
        if (const auto put = scope.put_number(IFLA_VXLAN_PORT, htons(gpe_port)); !put) return put;
    }
    for (const uint16_t type :
         {IFLA_VXLAN_ID, IFLA_VXLAN_LOCAL, IFLA_VXLAN_LOCAL6, IFLA_VXLAN_GROUP, IFLA_VXLAN_GROUP6,
          IFLA_VXLAN_LEARNING, IFLA_VXLAN_PORT}) {
        scope.move_to_end(type);
    }
    // From 0 to 0 is as if nothing was said.
    const auto* range = scope.bytes(IFLA_VXLAN_PORT_RANGE);
    if (range != nullptr && *range == bytes_of(ifla_vxlan_port_range{})) {
        scope.erase(IFLA_VXLAN_PORT_RANGE);
    }
    const auto* port = scope.bytes(IFLA_VXLAN_PORT);
    if (!scope.create() && port != nullptr && *port == bytes_of(uint16_t{0})) {
        scope.erase(IFLA_VXLAN_PORT);
    }
    return {};
}

}  // namespace

const LinkKind vxlan_kind{"vxlan", options, finish};

}  // namespace nlsh
