// GRE over IPv4 and IPv6, carrying IP or Ethernet, and ERSPAN on top of them.
#include <linux/if_link.h>
#include <linux/if_tunnel.h>
#include <linux/ip6_tunnel.h>

#include <algorithm>

#include "backend/objects/link/kinds/ip_tunnel.h"
#include "parser/ip/joined.h"
#include "parser/ip/refusal.h"
#include "parser/try.h"

namespace nlsh {
namespace {

using namespace std::string_literals;
using namespace std::string_view_literals;
using Role = TunnelAttribute::Role;

constexpr uint32_t max_erspan_index = 0xfffff;
constexpr std::string_view directions[] = {"ingress", "egress"};

// The direction that keys, sequence numbers and checksums are for: incoming, outgoing, or both.
struct Way {
    bool in, out;
};
constexpr Way both{true, true}, in{true, false}, out{false, true};

void put_way_flags(OptionScope& scope, Way way, uint16_t bits, bool on) {
    if (way.in) put_flags(scope, IFLA_GRE_IFLAGS, bits, on);
    if (way.out) put_flags(scope, IFLA_GRE_OFLAGS, bits, on);
}

void put_key(OptionScope& scope, Way way, const std::string& key, bool on) {
    if (way.in) scope.replace(IFLA_GRE_IKEY, key);
    if (way.out) scope.replace(IFLA_GRE_OKEY, key);
    put_way_flags(scope, way, GRE_KEY, on);
}

template <Way way>
Parsed<void> read_way_key(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    const auto word = TRY(arguments.value(row.word));
    const auto key = TRY(parse_key(row.word, word));
    put_key(scope, way, key, true);
    return {};
}

template <Way way>
Parsed<void> clear_key(OptionScope& scope, const LinkRow&, Arguments&) {
    put_key(scope, way, bytes_of(uint32_t{0}), false);
    return {};
}

template <Way way, uint16_t bits, bool on>
Parsed<void> set_way_flag(OptionScope& scope, const LinkRow&, Arguments&) {
    put_way_flags(scope, way, bits, on);
    return {};
}

Parsed<void> read_erspan_index(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    const auto word = TRY(arguments.value(row.word));
    const auto index = parse_u32(word);
    if (!index) {
        return std::unexpected(with_complaint(index.error(), word, "invalid erspan index\n"));
    }
    if (*index == 0 || *index > max_erspan_index) return bad_value("erspan: bad index");
    scope.replace(row.attribute, bytes_of(*index));
    return {};
}

Parsed<void> read_erspan_version(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    const auto word = TRY(arguments.value(row.word));
    const auto version = parse_u32(word, UINT8_MAX);
    if (!version) {
        return std::unexpected(with_complaint(version.error(), word, "invalid erspan version\n"));
    }
    if (*version > 2) return bad_value("erspan: bad version");
    scope.replace(row.attribute, bytes_of(static_cast<uint8_t>(*version)));
    return {};
}

Parsed<void> read_erspan_direction(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    const auto word = TRY(arguments.value(row.word));
    const auto name =
        std::ranges::find_if(row.names, [&](auto each) { return matches(word, each); });
    if (name == row.names.end()) return bad_value("erspan: bad direction");
    scope.replace(row.attribute, bytes_of(static_cast<uint8_t>(name - row.names.begin())));
    return {};
}

// Older builds print invalid JSON here, without the value.
void print_erspan_direction(const KindOutput& output, const LinkRow& row, Attribute value) {
    const Printer& printer = output.printer;
    if (printer.json()) output.context.needs(printer.options(), Trait::words_of_5_15);
    print_word(output, row, value);
}

void print_mtu_discovery(const KindOutput& output, const LinkRow& row, Attribute value) {
    const bool on = value.u8() != 0;
    output.printer.boolean(row.json_key(), on ? "" : "nopmtudisc ", on);
}

// A key is valid if its flag is set.
template <uint16_t Flags>
void print_key(const KindOutput& output, const LinkRow& row, Attribute value) {
    if ((output.attributes[Flags].u16() & GRE_KEY) != 0) print_inet(output, row, value);
}

template <Way way, uint16_t Flags>
constexpr Codec way_key{read_way_key<way>, print_key<Flags>};
template <Way way, uint16_t bits>
constexpr Codec way_flag{set_way_flag<way, bits, true>, print_bit<bits>};

// clang-format off
constexpr std::array<LinkRow, 1> external_row{{
    {.word = "external", .attribute = IFLA_GRE_COLLECT_METADATA, .codec = external, .exact = true,
     .set_since = external_since},
}};
constexpr std::array<LinkRow, 9> ipv4_rows{{
    {.word = "remote", .attribute = IFLA_GRE_REMOTE, .codec = endpoint4},
    {.word = "local", .attribute = IFLA_GRE_LOCAL, .codec = endpoint4},
    {.word = "dev", .attribute = IFLA_GRE_LINK, .codec = strict_device, .key = "link"},
    {.word = "ttl", .also = {"hoplimit", "hlim"}, .attribute = IFLA_GRE_TTL, .codec = tunnel_ttl,
     .complaint = invalid_ttl},
    {.word = "tos", .also = {"tclass", "dsfield"}, .attribute = IFLA_GRE_TOS, .codec = tunnel_tos},
    {.word = "pmtudisc", .attribute = IFLA_GRE_PMTUDISC,
     .codec = {set_tunnel_u8, print_mtu_discovery}, .parameter = 1},
    {.word = "nopmtudisc", .attribute = IFLA_GRE_PMTUDISC, .codec = {set_tunnel_u8}},
    {.word = "ignore-df", .attribute = IFLA_GRE_IGNORE_DF, .codec = {set_tunnel_u8, print_flag},
     .parameter = 1, .exact = true, .key = "ignore_df"},
    {.word = "noignore-df", .attribute = IFLA_GRE_IGNORE_DF, .codec = {set_tunnel_u8},
     .exact = true},
}};
constexpr std::array<LinkRow, 8> ipv6_rows{{
    {.word = "remote", .attribute = IFLA_GRE_REMOTE, .codec = endpoint6},
    {.word = "local", .attribute = IFLA_GRE_LOCAL, .codec = endpoint6},
    {.word = "dev", .attribute = IFLA_GRE_LINK, .codec = strict_device, .key = "link"},
    {.word = "hoplimit", .also = {"ttl", "hlim"}, .attribute = IFLA_GRE_TTL, .codec = tunnel_ttl,
     .complaint = invalid_hop_limit, .key = "ttl"},
    {.word = "encaplimit", .attribute = IFLA_GRE_ENCAP_LIMIT, .codec = encap_limit,
     .parameter = IFLA_GRE_FLAGS, .exact = true, .complaint = "invalid ELIM", .key = "encap_limit"},
    {.word = "tclass", .also = {"tos", "dsfield"}, .attribute = IFLA_GRE_FLOWINFO,
     .codec = traffic_class, .parameter = IFLA_GRE_FLAGS},
    {.word = "flowlabel", .also = {"fl"}, .attribute = IFLA_GRE_FLOWINFO,
     .codec = tunnel_flow_label, .parameter = IFLA_GRE_FLAGS, .exact = true,
     .complaint = "invalid Flowlabel"},
    {.word = "dscp", .attribute = IFLA_GRE_FLAGS,
     .codec = {read_dscp, print_bit<IP6_TNL_F_RCV_DSCP_COPY>}, .exact = true,
     .complaint = "not inherit", .key = "ip6_tnl_f_rcv_dscp_copy", .label = "dscp inherit"},
}};
constexpr std::array<LinkRow, 18> way_rows{{
    {.word = "key", .codec = {read_way_key<both>}},
    {.word = "ikey", .attribute = IFLA_GRE_IKEY, .codec = way_key<in, IFLA_GRE_IFLAGS>},
    {.word = "okey", .attribute = IFLA_GRE_OKEY, .codec = way_key<out, IFLA_GRE_OFLAGS>},
    {.word = "nokey", .codec = {clear_key<both>}},
    {.word = "noikey", .codec = {clear_key<in>}},
    {.word = "nookey", .codec = {clear_key<out>}},
    {.word = "seq", .codec = {set_way_flag<both, GRE_SEQ, true>}},
    {.word = "iseq", .attribute = IFLA_GRE_IFLAGS, .codec = way_flag<in, GRE_SEQ>},
    {.word = "oseq", .attribute = IFLA_GRE_OFLAGS, .codec = way_flag<out, GRE_SEQ>},
    {.word = "noseq", .codec = {set_way_flag<both, GRE_SEQ, false>}},
    {.word = "noiseq", .codec = {set_way_flag<in, GRE_SEQ, false>}},
    {.word = "nooseq", .codec = {set_way_flag<out, GRE_SEQ, false>}},
    {.word = "csum", .codec = {set_way_flag<both, GRE_CSUM, true>}},
    {.word = "icsum", .attribute = IFLA_GRE_IFLAGS, .codec = way_flag<in, GRE_CSUM>},
    {.word = "ocsum", .attribute = IFLA_GRE_OFLAGS, .codec = way_flag<out, GRE_CSUM>},
    {.word = "nocsum", .codec = {set_way_flag<both, GRE_CSUM, false>}},
    {.word = "noicsum", .codec = {set_way_flag<in, GRE_CSUM, false>}},
    {.word = "noocsum", .codec = {set_way_flag<out, GRE_CSUM, false>}},
}};
constexpr std::array<LinkRow, 2> local_remote_rows{{
    {.word = "allow-localremote", .attribute = IFLA_GRE_FLAGS,
     .codec = {set_local_remote, print_bit<IP6_TNL_F_ALLOW_LOCAL_REMOTE>}, .parameter = 1,
     .exact = true, .key = "ip6_tnl_f_allow_local_remote"},
    {.word = "noallow-localremote", .attribute = IFLA_GRE_FLAGS, .codec = {set_local_remote},
     .exact = true},
}};
constexpr std::array<LinkRow, 1> fwmark_row{{
    {.word = "fwmark", .attribute = IFLA_GRE_FWMARK, .codec = fwmark, .exact = true},
}};
constexpr std::array<LinkRow, 4> erspan_rows{{
    {.word = "erspan", .attribute = IFLA_GRE_ERSPAN_INDEX,
     .codec = {read_erspan_index, print_number}, .exact = true,
     .complaint = "erspan index must be > 0 and <= 20-bit\n", .key = "erspan_index",
     .label = "erspan_index"},
    {.word = "erspan_ver", .attribute = IFLA_GRE_ERSPAN_VER,
     .codec = {read_erspan_version, print_number}, .exact = true,
     .complaint = "erspan version must be 0/1/2\n"},
    {.word = "erspan_dir", .attribute = IFLA_GRE_ERSPAN_DIR,
     .codec = {read_erspan_direction, print_erspan_direction}, .names = directions, .exact = true,
     .complaint = "Invalid erspan direction."},
    {.word = "erspan_hwid", .attribute = IFLA_GRE_ERSPAN_HWID,
     .codec = {read_last<parse_u16>, print_hex_mask}, .exact = true,
     .complaint = "invalid erspan hwid\n"},
}};
// clang-format on

constexpr auto encapsulation = encap_rows(IFLA_GRE_ENCAP_TYPE);
constexpr auto gre_rows =
    joined(external_row, ipv4_rows, way_rows, fwmark_row, shown_only(erspan_rows), encapsulation);
constexpr auto erspan4_rows =
    joined(external_row, ipv4_rows, way_rows, fwmark_row, erspan_rows, encapsulation);
constexpr auto gre6_rows = joined(external_row, ipv6_rows, way_rows, local_remote_rows, fwmark_row,
                                  erspan_rows, encapsulation);

constexpr std::string_view zero1 = "\0"sv, zero2 = "\0\0"sv, zero4 = "\0\0\0\0"sv;

constexpr std::array<TunnelAttribute, 7> head_layout{{
    {IFLA_GRE_COLLECT_METADATA, {}, Role::external},
    {IFLA_GRE_IKEY, zero4},
    {IFLA_GRE_OKEY, zero4},
    {IFLA_GRE_IFLAGS, zero2},
    {IFLA_GRE_OFLAGS, zero2},
    {IFLA_GRE_LOCAL, {}, Role::nonzero},
    {IFLA_GRE_REMOTE, {}, Role::nonzero},
}};
constexpr std::array<TunnelAttribute, 6> ipv4_layout{{
    {IFLA_GRE_PMTUDISC, "\1"sv},
    {IFLA_GRE_IGNORE_DF, {}, Role::nonzero},
    {IFLA_GRE_TOS, zero1},
    {IFLA_GRE_LINK, {}, Role::nonzero},
    {IFLA_GRE_TTL, zero1},
    {IFLA_GRE_FWMARK, zero4},
}};
constexpr std::array<TunnelAttribute, 6> ipv6_layout{{
    {IFLA_GRE_LINK, {}, Role::nonzero},
    {IFLA_GRE_TTL, "\x40"sv},
    {IFLA_GRE_ENCAP_LIMIT, "\4"sv},
    {IFLA_GRE_FLOWINFO, zero4},
    {IFLA_GRE_FLAGS, zero4},
    {IFLA_GRE_FWMARK, zero4},
}};
constexpr std::array<TunnelAttribute, 4> erspan_layout{{
    {IFLA_GRE_ERSPAN_VER, "\1"sv},
    {IFLA_GRE_ERSPAN_INDEX, {}, Role::nonzero},
    {IFLA_GRE_ERSPAN_DIR},
    {IFLA_GRE_ERSPAN_HWID},
}};
constexpr auto encap4_layout = encap_layout(IFLA_GRE_ENCAP_TYPE, zero2);
constexpr auto encap6_layout = encap_layout(IFLA_GRE_ENCAP_TYPE, "\2\0"sv);
constexpr auto gre_layout = joined(head_layout, ipv4_layout, encap4_layout);
constexpr auto erspan4_layout = joined(head_layout, ipv4_layout, erspan_layout, encap4_layout);
constexpr auto gre6_layout = joined(head_layout, ipv6_layout, erspan_layout, encap6_layout);

// iproute2 sends index, direction and hardware id only for their version.
Parsed<void> finish_erspan(OptionScope& scope) {
    const std::string* version = scope.bytes(IFLA_GRE_ERSPAN_VER);
    const bool any = scope.has(IFLA_GRE_ERSPAN_INDEX) || scope.has(IFLA_GRE_ERSPAN_DIR) ||
                     scope.has(IFLA_GRE_ERSPAN_HWID);
    if (version == nullptr && !scope.create()) {
        if (any) return declined("erspan: change without the version");
        return {};
    }
    const int number = version == nullptr ? 1 : version->front();
    const auto drop = [&](uint16_t type) {
        std::erase_if(scope.attributes(), [&](const auto& a) { return a.type == type; });
        if (!scope.create()) scope.replace(type, "");
    };
    if (number != 1) drop(IFLA_GRE_ERSPAN_INDEX);
    if (number != 2) {
        drop(IFLA_GRE_ERSPAN_DIR);
        drop(IFLA_GRE_ERSPAN_HWID);
    } else if (scope.create()) {
        if (!scope.has(IFLA_GRE_ERSPAN_DIR)) scope.replace(IFLA_GRE_ERSPAN_DIR, "\0"s);
        if (!scope.has(IFLA_GRE_ERSPAN_HWID)) scope.replace(IFLA_GRE_ERSPAN_HWID, "\0\0"s);
    }
    return {};
}

// A multicast tunnel needs a source; its group replaces missing keys.
Parsed<void> check_group(OptionScope& scope) {
    const std::string* remote = scope.bytes(IFLA_GRE_REMOTE);
    if (remote == nullptr || remote->empty() || (remote->front() & 0xf0) != 0xe0) return {};
    if (!scope.create()) return declined("gre: change to multicast");
    const std::string* local = scope.bytes(IFLA_GRE_LOCAL);
    if (local == nullptr || local->empty()) {
        return refused("A broadcast tunnel requires a source address.\n", 1);
    }
    const std::string group = *remote;
    for (const Way way : {in, out}) {
        const std::string* key = scope.bytes(way.in ? IFLA_GRE_IKEY : IFLA_GRE_OKEY);
        if (key == nullptr || *key == zero4) put_key(scope, way, group, true);
    }
    return {};
}

Parsed<void> finish_gre(OptionScope& scope) {
    TRY(check_group(scope));
    return finish_tunnel(scope, gre_layout);
}

Parsed<void> finish_erspan4(OptionScope& scope) {
    TRY(check_group(scope));
    TRY(finish_erspan(scope));
    return finish_tunnel(scope, erspan4_layout);
}

Parsed<void> finish_gre6(OptionScope& scope) {
    TRY(finish_erspan(scope));
    return finish_tunnel(scope, gre6_layout);
}

// One of GRE's six kinds.
constexpr LinkKind kind(std::string_view name, std::span<const LinkRow> rows,
                        Parsed<void> (*finish)(OptionScope&)) {
    return {.name = name, .rows = rows, .asks_first = true, .finish = finish};
}

}  // namespace

extern constexpr LinkKind gre_kind = kind("gre", gre_rows, finish_gre);
extern constexpr LinkKind gretap_kind = kind("gretap", gre_rows, finish_gre);
extern constexpr LinkKind erspan_kind = kind("erspan", erspan4_rows, finish_erspan4);
extern constexpr LinkKind ip6gre_kind = kind("ip6gre", gre6_rows, finish_gre6);
extern constexpr LinkKind ip6gretap_kind = kind("ip6gretap", gre6_rows, finish_gre6);
extern constexpr LinkKind ip6erspan_kind = kind("ip6erspan", gre6_rows, finish_gre6);

}  // namespace nlsh
