#include <linux/if_link.h>

#include "parser/ip/link/kind/kind.h"
#include "parser/ip/link/kind/tunnel.h"
#include "parser/ip/refusal.h"

namespace nlsh {
namespace {

constexpr LinkOption options[] = {
    {"id", IFLA_GENEVE_ID, read_vni, 0, {}, Spelling::prefix, "invalid id"},
    {"vni", IFLA_GENEVE_ID, read_vni, 0, {}, Spelling::prefix, "invalid id"},
    {"remote", IFLA_GENEVE_REMOTE, read_unicast, IFLA_GENEVE_REMOTE6},
    {"ttl", IFLA_GENEVE_TTL, read_ttl_or_byte, IFLA_GENEVE_TTL_INHERIT},
    {"hoplimit", IFLA_GENEVE_TTL, read_ttl_or_byte, IFLA_GENEVE_TTL_INHERIT},
    {"tos", IFLA_GENEVE_TOS, read_tos},
    {"dsfield", IFLA_GENEVE_TOS, read_tos},
    {"df",
     IFLA_GENEVE_DF,
     read_fragment,
     0,
     {},
     Spelling::prefix,
     "DF must be 'unset', 'set' or 'inherit'"},
    {"flowlabel", IFLA_GENEVE_LABEL, read_flow_label},
    {"dstport", IFLA_GENEVE_PORT, read_port, 0, {}, Spelling::prefix, "dstport"},
    {"external", IFLA_GENEVE_COLLECT_METADATA, set_flag},
    {"udpcsum", IFLA_GENEVE_UDP_CSUM, set_u8, 1},
    {"noudpcsum", IFLA_GENEVE_UDP_CSUM, set_u8, 0},
    {"udp6zerocsumtx", IFLA_GENEVE_UDP_ZERO_CSUM6_TX, set_u8, 1},
    {"noudp6zerocsumtx", IFLA_GENEVE_UDP_ZERO_CSUM6_TX, set_u8, 0},
    {"udp6zerocsumrx", IFLA_GENEVE_UDP_ZERO_CSUM6_RX, set_u8, 1},
    {"noudp6zerocsumrx", IFLA_GENEVE_UDP_ZERO_CSUM6_RX, set_u8, 0},
    {"innerprotoinherit", IFLA_GENEVE_INNER_PROTO_INHERIT, set_flag, 0, {}, Spelling::exact},
};

// A new device needs an id and a remote, or `external` alone; a change an id, or `external`.
// iproute2 always sends the id, and for a new device the flow label, TTL and TOS.
Parsed<void> finish(OptionScope& scope) {
    const bool external = scope.has(IFLA_GENEVE_COLLECT_METADATA);
    const bool remote = scope.has(IFLA_GENEVE_REMOTE) || scope.has(IFLA_GENEVE_REMOTE6);
    const bool id = scope.has(IFLA_GENEVE_ID);
    if (external && id) return refused("geneve: both 'external' and vni cannot be specified\n", 1);
    if (!external && !id) return refused("geneve: missing virtual network identifier\n", 1);
    if (external && remote) return declined("geneve: external with a remote");
    if (scope.create() && !external && !remote) {
        return refused("geneve: remote link partner not specified\n", 1);
    }
    if (scope.has(IFLA_GENEVE_TTL_INHERIT) && scope.has(IFLA_GENEVE_TTL)) {
        return declined("geneve: two values of ttl");
    }
    if (const auto* port = scope.bytes(IFLA_GENEVE_PORT);
        port != nullptr && *port == bytes_of(uint16_t{0})) {
        return declined("geneve: port 0");
    }
    const auto fill = [&](uint16_t type, auto zero) {
        if (!scope.has(type)) scope.attributes().push_back({type, bytes_of(zero)});
    };
    fill(IFLA_GENEVE_ID, uint32_t{0});
    if (scope.create()) {
        fill(IFLA_GENEVE_LABEL, uint32_t{0});
        fill(IFLA_GENEVE_TTL, uint8_t{0});
        fill(IFLA_GENEVE_TOS, uint8_t{0});
    }
    for (const uint16_t type :
         {IFLA_GENEVE_ID, IFLA_GENEVE_REMOTE, IFLA_GENEVE_REMOTE6, IFLA_GENEVE_LABEL,
          IFLA_GENEVE_TTL, IFLA_GENEVE_TOS, IFLA_GENEVE_PORT, IFLA_GENEVE_COLLECT_METADATA,
          IFLA_GENEVE_UDP_CSUM, IFLA_GENEVE_UDP_ZERO_CSUM6_TX, IFLA_GENEVE_UDP_ZERO_CSUM6_RX}) {
        scope.move_to_end(type);
    }
    return {};
}

}  // namespace

const LinkKind geneve_kind{"geneve", options, finish};

}  // namespace nlsh
