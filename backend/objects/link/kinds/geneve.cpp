// GENEVE devices.
#include <linux/if_link.h>
#include <sys/socket.h>

#include "backend/objects/link/kinds/udp_tunnel.h"
#include "parser/ip/refusal.h"

namespace nlsh {
namespace {

Parsed<void> read_remote(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    return read_udp_endpoint(scope, row, arguments, false, AF_UNSPEC);
}

Parsed<void> read_ttl(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    return read_udp_ttl(scope, row, arguments, "\1");
}

constexpr Codec ttl{read_ttl, print_ttl};

// clang-format off
constexpr LinkRow rows[] = {
    {.word = "external", .attribute = IFLA_GENEVE_COLLECT_METADATA,
     .codec = {set_flag, print_presence}, .set_since = external_since},
    {.word = "id", .attribute = IFLA_GENEVE_ID, .codec = vni, .complaint = invalid},
    {.word = "vni", .attribute = IFLA_GENEVE_ID, .codec = {read_vni}, .complaint = "invalid id"},
    {.word = "remote", .attribute = IFLA_GENEVE_REMOTE, .codec = {read_remote, print_inet},
     .parameter = IFLA_GENEVE_REMOTE6},
    printed(IFLA_GENEVE_REMOTE6, print_inet, "remote", "remote6"),
    {.attribute = IFLA_GENEVE_TTL_INHERIT, .codec = {.print = print_ttl_inherit}},
    {.word = "ttl", .also = {"hoplimit"}, .attribute = IFLA_GENEVE_TTL, .codec = ttl,
     .parameter = IFLA_GENEVE_TTL_INHERIT},
    {.word = "tos", .also = {"dsfield"}, .attribute = IFLA_GENEVE_TOS, .codec = tos},
    {.word = "df", .attribute = IFLA_GENEVE_DF, .codec = fragment,
     .complaint = "DF must be 'unset', 'set' or 'inherit'"},
    {.word = "flowlabel", .attribute = IFLA_GENEVE_LABEL, .codec = flow_label, .key = "label"},
    {.word = "dstport", .attribute = IFLA_GENEVE_PORT, .codec = port, .complaint = "dstport",
     .key = "port"},
    {.word = "udpcsum", .attribute = IFLA_GENEVE_UDP_CSUM, .codec = negatable, .parameter = 1,
     .key = "udp_csum"},
    {.word = "noudpcsum", .attribute = IFLA_GENEVE_UDP_CSUM, .codec = {set_u8}},
    {.word = "udp6zerocsumtx", .attribute = IFLA_GENEVE_UDP_ZERO_CSUM6_TX, .codec = negatable,
     .parameter = 1, .key = "udp_zero_csum6_tx"},
    {.word = "noudp6zerocsumtx", .attribute = IFLA_GENEVE_UDP_ZERO_CSUM6_TX, .codec = {set_u8}},
    {.word = "udp6zerocsumrx", .attribute = IFLA_GENEVE_UDP_ZERO_CSUM6_RX, .codec = negatable,
     .parameter = 1, .key = "udp_zero_csum6_rx"},
    {.word = "noudp6zerocsumrx", .attribute = IFLA_GENEVE_UDP_ZERO_CSUM6_RX, .codec = {set_u8}},
    {.word = "innerprotoinherit", .attribute = IFLA_GENEVE_INNER_PROTO_INHERIT,
     .codec = {set_flag, print_presence}, .exact = true, .key = "inner_proto_inherit",
     .since = Trait::words_of_6_1},
};
// clang-format on

// A new device needs an id and a remote, or `external` alone. A change needs an id, or `external`.
// iproute2 always sends the id, and for a new device also the flow label, TTL and TOS.
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

extern constexpr LinkKind geneve_kind{.name = "geneve", .rows = rows, .finish = finish};

}  // namespace nlsh
