// VXLAN devices.
#include <arpa/inet.h>
#include <endian.h>
#include <fmt/format.h>
#include <linux/if_link.h>
#include <netinet/in.h>

#include "backend/errors.h"
#include "backend/objects/link/kinds/check.h"
#include "backend/objects/link/kinds/udp_tunnel.h"
#include "parser/ip/bytes.h"
#include "parser/ip/newer_kernel.h"
#include "parser/ip/refusal.h"
#include "parser/try.h"

namespace nlsh {
namespace {

constexpr uint16_t gpe_port = 4790;

// The first address decides the family. iproute2 complains about the family first.
uint8_t settled_family(const OptionScope& scope) {
    if (scope.has(IFLA_VXLAN_GROUP) || scope.has(IFLA_VXLAN_LOCAL)) return AF_INET;
    return scope.has(IFLA_VXLAN_GROUP6) || scope.has(IFLA_VXLAN_LOCAL6) ? AF_INET6 : AF_UNSPEC;
}

template <bool Multicast>
Parsed<void> read_endpoint(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    return read_udp_endpoint(scope, row, arguments, Multicast, settled_family(scope));
}

Parsed<void> read_ttl(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    return read_udp_ttl(scope, row, arguments, "");
}

// srcport MIN MAX
Parsed<void> read_port_range(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    ifla_vxlan_port_range range{};
    for (auto* end : {&range.low, &range.high}) {
        const auto word = TRY(arguments.value(row.word));
        const auto port = TRY(parse_u16(word));
        *end = htons(port);
    }
    return scope.put_number(row.attribute, range);
}

// A number, or the word `zero` for 0.
Parsed<void> read_u32_or(OptionScope& scope, const LinkRow& row, Arguments& arguments,
                         std::string_view zero) {
    if (arguments.take_if(zero)) return scope.put_number(row.attribute, uint32_t{0});
    return read_u32(scope, row, arguments);
}

Parsed<void> read_u32_or_none(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    return read_u32_or(scope, row, arguments, "none");
}
Parsed<void> read_u32_or_unlimited(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    return read_u32_or(scope, row, arguments, "unlimited");
}

bool is_multicast(Bytes address) {
    if (address.empty()) return false;
    return address.size() == 4 ? (address[0] & 0xf0) == 0xe0 : address[0] == 0xff;
}

// Prints a group or a remote host; JSON keys for IPv6 end in 6.
void print_group(const KindOutput& output, const LinkRow&, Attribute value) {
    const Bytes address = value.bytes();
    if (all_zero(address)) return;
    const std::string_view word = is_multicast(address) ? "group" : "remote";
    const std::string key = fmt::format("{}{}", word, address.size() == 16 ? "6" : "");
    print_inet(output, {.key = key, .label = word}, value);
}

void print_local(const KindOutput& output, const LinkRow& row, Attribute value) {
    if (!all_zero(value.bytes())) print_inet(output, row, value);
}

void print_port_range(const KindOutput& output, const LinkRow& row, Attribute value) {
    const auto range = value.as<ifla_vxlan_port_range>();
    output.printer.open_object(row.json_key());
    output.printer.number("low", "srcport ", ntohs(range.low), " ");
    output.printer.number("high", {}, ntohs(range.high), " ");
    output.printer.close_object();
}

// JSON always has it; text has only `nolearning`.
void print_learning(const KindOutput& output, const LinkRow& row, Attribute value) {
    const bool on = value.u8() != 0;
    output.printer.boolean(row.json_key(), on ? "" : "nolearning ", on);
}

// iproute2 prints no blank after it, unlike after all other items.
void print_vni_filter(const KindOutput& output, const LinkRow& row, Attribute value) {
    if (value.u8() != 0) output.printer.boolean(row.json_key(), "vnifilter");
}

void print_ageing(const KindOutput& output, const LinkRow& row, Attribute value) {
    if (value.u32() == 0 && output.printer.text_mode()) return output.printer.text("ageing none ");
    print_number(output, row, value);
}

// Older builds print booleans among the other items, newer ones at the end (print_gathered).
template <void (*Print)(const KindOutput&, const LinkRow&, Attribute)>
void print_among(const KindOutput& output, const LinkRow& row, Attribute value) {
    const auto gathered = output.printer.options().traits[Trait::vxlan_booleans_last];
    if (gathered == Traits::Answer::unknown) output.context.fall_back("a VXLAN's booleans");
    if (gathered == Traits::Answer::no) Print(output, row, value);
}

// JSON has all booleans. Text has those that differ from the default (the parameter); with -d -d,
// all.
void print_gathered(const KindOutput& output, const LinkRow& row, Attribute value) {
    const bool on = value.u8() != 0;
    const bool usual = on == (row.parameter != 0) && output.printer.options().details < 2;
    if (!usual || output.printer.json()) print_negatable(output, row, value);
}

Parsed<void> read_reserved_bits(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    const auto word = TRY(arguments.value(row.word));
    const auto bits = TRY(parse_u64(word));
    return scope.put_number(row.attribute, htobe64(bits));
}

void print_reserved_bits(const KindOutput& output, const LinkRow& row, Attribute value) {
    print_text(output, row, fmt::format("{:#x}", be64toh(value.u64())));
}

void print_null(const KindOutput& output, const LinkRow& row, Attribute) {
    output.printer.null(row.json_key(), before(row));
}

constexpr Codec ttl{read_ttl, print_ttl};
constexpr Codec boolean{set_u8, print_among<print_flag>};
constexpr Codec checksum{set_u8, print_among<print_negatable>};
constexpr Codec extension{set_flag, print_among<print_presence>};
constexpr Codec learning{set_u8, print_among<print_learning>};
constexpr Codec vni_filter{set_u8, print_among<print_vni_filter>};

constexpr LinkRow extension_at_end(uint16_t attribute, std::string_view label) {
    return printed(attribute, print_null, label, {}, Trait::vxlan_booleans_last);
}
constexpr LinkRow boolean_at_end(uint16_t attribute, std::string_view label, bool usual = false,
                                 Trait since = Trait::vxlan_booleans_last) {
    return {.attribute = attribute,
            .codec = {.print = print_gathered},
            .parameter = usual,
            .label = label,
            .since = since};
}

// clang-format off
constexpr LinkRow rows[] = {
    {.word = "external", .attribute = IFLA_VXLAN_COLLECT_METADATA, .codec = boolean,
     .parameter = 1, .set_since = external_since},
    {.word = "noexternal", .attribute = IFLA_VXLAN_COLLECT_METADATA, .codec = {set_u8}},
    {.word = "vnifilter", .attribute = IFLA_VXLAN_VNIFILTER, .codec = vni_filter,
     .parameter = 1, .exact = true, .since = Trait::words_of_6_1},
    {.word = "novnifilter", .attribute = IFLA_VXLAN_VNIFILTER, .codec = {set_u8}, .exact = true,
     .since = Trait::words_of_6_1},
    {.word = "id", .attribute = IFLA_VXLAN_ID, .codec = vni, .complaint = invalid},
    {.word = "vni", .attribute = IFLA_VXLAN_ID, .codec = {read_vni}, .complaint = "invalid id"},
    {.word = "group", .attribute = IFLA_VXLAN_GROUP, .codec = {read_endpoint<true>, print_group},
     .parameter = IFLA_VXLAN_GROUP6},
    {.word = "remote", .attribute = IFLA_VXLAN_GROUP, .codec = {read_endpoint<false>},
     .parameter = IFLA_VXLAN_GROUP6},
    {.attribute = IFLA_VXLAN_GROUP6, .codec = {.print = print_group}},
    {.word = "local", .attribute = IFLA_VXLAN_LOCAL, .codec = {read_endpoint<false>, print_local},
     .parameter = IFLA_VXLAN_LOCAL6},
    printed(IFLA_VXLAN_LOCAL6, print_local, "local", "local6"),
    {.word = "dev", .attribute = IFLA_VXLAN_LINK, .codec = strict_device, .key = "link"},
    {.word = "srcport", .also = {"port"}, .attribute = IFLA_VXLAN_PORT_RANGE,
     .codec = {read_port_range, print_port_range}, .key = "port_range"},
    {.word = "dstport", .attribute = IFLA_VXLAN_PORT, .codec = port, .complaint = "dst port",
     .key = "port"},
    {.word = "learning", .attribute = IFLA_VXLAN_LEARNING, .codec = learning,
     .parameter = 1},
    {.word = "nolearning", .attribute = IFLA_VXLAN_LEARNING, .codec = {set_u8}},
    {.word = "proxy", .attribute = IFLA_VXLAN_PROXY, .codec = boolean, .parameter = 1},
    {.word = "noproxy", .attribute = IFLA_VXLAN_PROXY, .codec = {set_u8}},
    {.word = "rsc", .attribute = IFLA_VXLAN_RSC, .codec = boolean, .parameter = 1},
    {.word = "norsc", .attribute = IFLA_VXLAN_RSC, .codec = {set_u8}},
    {.word = "l2miss", .attribute = IFLA_VXLAN_L2MISS, .codec = boolean, .parameter = 1},
    {.word = "nol2miss", .attribute = IFLA_VXLAN_L2MISS, .codec = {set_u8}},
    {.word = "l3miss", .attribute = IFLA_VXLAN_L3MISS, .codec = boolean, .parameter = 1},
    {.word = "nol3miss", .attribute = IFLA_VXLAN_L3MISS, .codec = {set_u8}},
    {.word = "tos", .also = {"dsfield"}, .attribute = IFLA_VXLAN_TOS, .codec = tos},
    {.attribute = IFLA_VXLAN_TTL_INHERIT, .codec = {.print = print_ttl_inherit}},
    {.word = "ttl", .also = {"hoplimit"}, .attribute = IFLA_VXLAN_TTL, .codec = ttl,
     .parameter = IFLA_VXLAN_TTL_INHERIT},
    {.word = "df", .attribute = IFLA_VXLAN_DF, .codec = fragment,
     .complaint = "DF must be 'unset', 'set' or 'inherit'"},
    {.word = "flowlabel", .attribute = IFLA_VXLAN_LABEL, .codec = flow_label, .key = "label"},
    {.word = "ageing", .attribute = IFLA_VXLAN_AGEING, .codec = {read_u32_or_none, print_ageing}},
    {.word = "maxaddress", .attribute = IFLA_VXLAN_LIMIT,
     .codec = {read_u32_or_unlimited, print_number_if_set}, .key = "limit", .label = "maxaddr"},
    {.word = "udpcsum", .attribute = IFLA_VXLAN_UDP_CSUM, .codec = checksum, .parameter = 1,
     .key = "udp_csum"},
    {.word = "noudpcsum", .attribute = IFLA_VXLAN_UDP_CSUM, .codec = {set_u8}},
    {.word = "udp6zerocsumtx", .attribute = IFLA_VXLAN_UDP_ZERO_CSUM6_TX, .codec = checksum,
     .parameter = 1, .key = "udp_zero_csum6_tx"},
    {.word = "noudp6zerocsumtx", .attribute = IFLA_VXLAN_UDP_ZERO_CSUM6_TX, .codec = {set_u8}},
    {.word = "udp6zerocsumrx", .attribute = IFLA_VXLAN_UDP_ZERO_CSUM6_RX, .codec = checksum,
     .parameter = 1, .key = "udp_zero_csum6_rx"},
    {.word = "noudp6zerocsumrx", .attribute = IFLA_VXLAN_UDP_ZERO_CSUM6_RX, .codec = {set_u8}},
    {.word = "remcsumtx", .attribute = IFLA_VXLAN_REMCSUM_TX, .codec = boolean, .parameter = 1,
     .key = "remcsum_tx"},
    {.word = "noremcsumtx", .attribute = IFLA_VXLAN_REMCSUM_TX, .codec = {set_u8}},
    {.word = "remcsumrx", .attribute = IFLA_VXLAN_REMCSUM_RX, .codec = boolean, .parameter = 1,
     .key = "remcsum_rx"},
    {.word = "noremcsumrx", .attribute = IFLA_VXLAN_REMCSUM_RX, .codec = {set_u8}},
    {.word = "gbp", .attribute = IFLA_VXLAN_GBP, .codec = extension},
    {.word = "gpe", .attribute = IFLA_VXLAN_GPE, .codec = extension},
    {.word = "reserved_bits", .attribute = newer::IFLA_VXLAN_RESERVED_BITS,
     .codec = {read_reserved_bits, print_reserved_bits}, .exact = true, .complaint = "{}",
     .since = Trait::vxlan_reserved_bits},
    {.word = "localbypass", .attribute = newer::IFLA_VXLAN_LOCALBYPASS, .codec = {set_u8},
     .parameter = 1, .exact = true, .since = Trait::vxlan_localbypass},
    {.word = "nolocalbypass", .attribute = newer::IFLA_VXLAN_LOCALBYPASS, .codec = {set_u8},
     .exact = true, .since = Trait::vxlan_localbypass},
    {.word = "mcroute", .attribute = newer::IFLA_VXLAN_MC_ROUTE, .codec = {set_u8, print_unseen},
     .parameter = 1, .exact = true, .since = Trait::vxlan_mcroute},
    {.word = "nomcroute", .attribute = newer::IFLA_VXLAN_MC_ROUTE, .codec = {set_u8},
     .exact = true, .since = Trait::vxlan_mcroute},
    extension_at_end(IFLA_VXLAN_GBP, "gbp"),
    extension_at_end(IFLA_VXLAN_GPE, "gpe"),
    boolean_at_end(IFLA_VXLAN_COLLECT_METADATA, "external"),
    boolean_at_end(IFLA_VXLAN_VNIFILTER, "vnifilter"),
    boolean_at_end(IFLA_VXLAN_LEARNING, "learning", true),
    boolean_at_end(IFLA_VXLAN_PROXY, "proxy"),
    boolean_at_end(IFLA_VXLAN_RSC, "rsc"),
    boolean_at_end(IFLA_VXLAN_L2MISS, "l2miss"),
    boolean_at_end(IFLA_VXLAN_L3MISS, "l3miss"),
    boolean_at_end(IFLA_VXLAN_UDP_CSUM, "udp_csum", true),
    boolean_at_end(IFLA_VXLAN_UDP_ZERO_CSUM6_TX, "udp_zero_csum6_tx"),
    boolean_at_end(IFLA_VXLAN_UDP_ZERO_CSUM6_RX, "udp_zero_csum6_rx"),
    boolean_at_end(IFLA_VXLAN_REMCSUM_TX, "remcsum_tx"),
    boolean_at_end(IFLA_VXLAN_REMCSUM_RX, "remcsum_rx"),
    boolean_at_end(newer::IFLA_VXLAN_LOCALBYPASS, "localbypass", true, Trait::vxlan_localbypass),
};
// clang-format on

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
    // With -6, iproute2 sends a missing address as "any".
    if (scope.context().options.family == AF_INET6) return declined("vxlan: -6");
    const bool ipv4 = scope.has(IFLA_VXLAN_GROUP) || scope.has(IFLA_VXLAN_LOCAL);
    const bool ipv6 = scope.has(IFLA_VXLAN_GROUP6) || scope.has(IFLA_VXLAN_LOCAL6);
    if (ipv4 && ipv6) return declined("vxlan: addresses of two families");
    if (scope.has(IFLA_VXLAN_TTL) && scope.has(IFLA_VXLAN_TTL_INHERIT)) {
        return declined("vxlan: two values of ttl");
    }
    return {};
}

// iproute2 sends these last, and for a new link always sends LEARNING. Port 0 is the kernel's
// default: it is sent for a new link, where a missing port causes a warning (warn_of_port).
Parsed<void> finish(OptionScope& scope) {
    TRY(check(scope));
    if (scope.create() && !scope.has(IFLA_VXLAN_LEARNING)) {
        const auto* metadata = scope.bytes(IFLA_VXLAN_COLLECT_METADATA);
        const bool external = metadata != nullptr && metadata->front() != 0;
        TRY(scope.put_number(IFLA_VXLAN_LEARNING, uint8_t{!external}));
    }
    if (scope.has(IFLA_VXLAN_GPE) && !scope.has(IFLA_VXLAN_PORT)) {
        TRY(scope.put_number(IFLA_VXLAN_PORT, htons(gpe_port)));
    }
    for (const uint16_t type :
         {IFLA_VXLAN_ID, IFLA_VXLAN_LOCAL, IFLA_VXLAN_LOCAL6, IFLA_VXLAN_GROUP, IFLA_VXLAN_GROUP6,
          IFLA_VXLAN_LEARNING, IFLA_VXLAN_PORT}) {
        scope.move_to_end(type);
    }
    // iproute2 ignores the range from 0 to 0.
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

int warn_of_port(Context& context, const KindChange& change) {
    if (!change.create || change.find(IFLA_VXLAN_PORT) != nullptr) return 0;
    print_error(context,
                "vxlan: destination port not specified\n"
                "Will use Linux kernel default (non-standard value)\n"
                "Use 'dstport 4789' to get the IANA assigned value\n"
                "Use 'dstport 0' to get default and quiet this message\n");
    return 0;
}

}  // namespace

extern constexpr LinkKind vxlan_kind{
    .name = "vxlan", .rows = rows, .finish = finish, .check = warn_of_port};

}  // namespace nlsh
