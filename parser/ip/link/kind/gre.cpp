// GRE over IPv4 and IPv6, carrying IP or Ethernet, and ERSPAN on top of them.
#include <linux/if_link.h>
#include <linux/if_tunnel.h>

#include "parser/ip/joined.h"
#include "parser/ip/link/kind/ip_tunnel.h"
#include "parser/ip/link/kind/kind.h"
#include "parser/ip/refusal.h"

namespace nlsh {
namespace {

using namespace std::string_literals;
using namespace std::string_view_literals;
using Role = TunnelAttribute::Role;

constexpr auto exact = Spelling::exact;
constexpr uint32_t max_erspan_index = 0xfffff;

// Keys, sequence numbers and checksums: of what comes in, goes out, or both.
struct Way {
    bool in, out;
};
constexpr Way both{true, true}, in{true, false}, out{false, true};

void put_way_flags(OptionScope& scope, Way way, uint16_t bits, bool on) {
    if (way.in) put_flags(scope, IFLA_GRE_IFLAGS, bits, on);
    if (way.out) put_flags(scope, IFLA_GRE_OFLAGS, bits, on);
}

void put_key(OptionScope& scope, Way way, const std::string& key, bool on) {
    if (way.in) replace(scope, IFLA_GRE_IKEY, key);
    if (way.out) replace(scope, IFLA_GRE_OKEY, key);
    put_way_flags(scope, way, GRE_KEY, on);
}

template <Way way>
Parsed<void> read_way_key(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    const auto word = arguments.value(option.word);
    if (!word) return std::unexpected(word.error());
    const auto key = parse_key(option.word, *word);
    if (!key) return std::unexpected(key.error());
    put_key(scope, way, *key, true);
    return {};
}

template <Way way>
Parsed<void> clear_key(OptionScope& scope, const LinkOption&, Arguments&) {
    put_key(scope, way, bytes_of(uint32_t{0}), false);
    return {};
}

template <Way way, uint16_t bits, bool on>
Parsed<void> set_way_flag(OptionScope& scope, const LinkOption&, Arguments&) {
    put_way_flags(scope, way, bits, on);
    return {};
}

Parsed<void> set_external(OptionScope& scope, const LinkOption& option, Arguments&) {
    replace(scope, option.attribute, "");
    return {};
}

Parsed<void> read_erspan_index(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    const auto word = arguments.value(option.word);
    if (!word) return std::unexpected(word.error());
    const auto index = parse_u32(*word);
    if (!index) {
        return std::unexpected(with_complaint(index.error(), *word, "invalid erspan index\n"));
    }
    if (*index == 0 || *index > max_erspan_index) return bad_value("erspan: bad index");
    replace(scope, option.attribute, bytes_of(*index));
    return {};
}

Parsed<void> read_erspan_version(OptionScope& scope, const LinkOption& option,
                                 Arguments& arguments) {
    const auto word = arguments.value(option.word);
    if (!word) return std::unexpected(word.error());
    const auto version = parse_u32(*word, UINT8_MAX);
    if (!version) {
        return std::unexpected(with_complaint(version.error(), *word, "invalid erspan version\n"));
    }
    if (*version > 2) return bad_value("erspan: bad version");
    replace(scope, option.attribute, bytes_of(static_cast<uint8_t>(*version)));
    return {};
}

Parsed<void> read_erspan_direction(OptionScope& scope, const LinkOption& option,
                                   Arguments& arguments) {
    const auto word = arguments.value(option.word);
    if (!word) return std::unexpected(word.error());
    const bool ingress = matches(*word, "ingress");
    if (!ingress && !matches(*word, "egress")) return bad_value("erspan: bad direction");
    replace(scope, option.attribute, bytes_of(static_cast<uint8_t>(ingress ? 0 : 1)));
    return {};
}

Parsed<void> read_erspan_hardware(OptionScope& scope, const LinkOption& option,
                                  Arguments& arguments) {
    const auto word = arguments.value(option.word);
    if (!word) return std::unexpected(word.error());
    const auto id = parse_u16(*word);
    if (!id) return std::unexpected(id.error());
    replace(scope, option.attribute, bytes_of(*id));
    return {};
}

constexpr std::array<LinkOption, 21> way_options{{
    {"key", 0, read_way_key<both>},
    {"ikey", 0, read_way_key<in>},
    {"okey", 0, read_way_key<out>},
    {"nokey", 0, clear_key<both>},
    {"noikey", 0, clear_key<in>},
    {"nookey", 0, clear_key<out>},
    {"seq", 0, set_way_flag<both, GRE_SEQ, true>},
    {"iseq", 0, set_way_flag<in, GRE_SEQ, true>},
    {"oseq", 0, set_way_flag<out, GRE_SEQ, true>},
    {"noseq", 0, set_way_flag<both, GRE_SEQ, false>},
    {"noiseq", 0, set_way_flag<in, GRE_SEQ, false>},
    {"nooseq", 0, set_way_flag<out, GRE_SEQ, false>},
    {"csum", 0, set_way_flag<both, GRE_CSUM, true>},
    {"icsum", 0, set_way_flag<in, GRE_CSUM, true>},
    {"ocsum", 0, set_way_flag<out, GRE_CSUM, true>},
    {"nocsum", 0, set_way_flag<both, GRE_CSUM, false>},
    {"noicsum", 0, set_way_flag<in, GRE_CSUM, false>},
    {"noocsum", 0, set_way_flag<out, GRE_CSUM, false>},
    {"dev", IFLA_GRE_LINK, read_device, static_cast<uint32_t>(LinkDevice::Role::strict)},
    {"external", IFLA_GRE_COLLECT_METADATA, set_external, 0, {}, exact},
    {"fwmark", IFLA_GRE_FWMARK, read_fwmark, 0, {}, exact},
}};

// iproute2 says "TTL" or "HLIM" of a wrong one.
constexpr std::array<LinkOption, 4> ttl_options(const char* complaint) {
    constexpr auto prefix = Spelling::prefix;
    return {{
        {"t", IFLA_GRE_TTL, read_tunnel_ttl, 0, {}, Spelling::exact, complaint},  // not tos
        {"ttl", IFLA_GRE_TTL, read_tunnel_ttl, 0, {}, prefix, complaint},
        {"hoplimit", IFLA_GRE_TTL, read_tunnel_ttl, 0, {}, prefix, complaint},
        {"hlim", IFLA_GRE_TTL, read_tunnel_ttl, 0, {}, prefix, complaint},
    }};
}
constexpr auto ipv4_ttl_options = ttl_options("invalid TTL\n");
constexpr auto ipv6_ttl_options = ttl_options("invalid HLIM\n");

constexpr std::array<LinkOption, 9> ipv4_options{{
    {"remote", IFLA_GRE_REMOTE, read_endpoint4},
    {"local", IFLA_GRE_LOCAL, read_endpoint4},
    {"tos", IFLA_GRE_TOS, read_tunnel_tos},
    {"tclass", IFLA_GRE_TOS, read_tunnel_tos},
    {"dsfield", IFLA_GRE_TOS, read_tunnel_tos},
    {"pmtudisc", IFLA_GRE_PMTUDISC, set_tunnel_u8, 1},
    {"nopmtudisc", IFLA_GRE_PMTUDISC, set_tunnel_u8, 0},
    {"ignore-df", IFLA_GRE_IGNORE_DF, set_tunnel_u8, 1, {}, exact},
    {"noignore-df", IFLA_GRE_IGNORE_DF, set_tunnel_u8, 0, {}, exact},
}};

constexpr std::array<LinkOption, 11> ipv6_options{{
    {"remote", IFLA_GRE_REMOTE, read_endpoint6},
    {"local", IFLA_GRE_LOCAL, read_endpoint6},
    {"tos", IFLA_GRE_FLOWINFO, read_traffic_class, IFLA_GRE_FLAGS},
    {"tclass", IFLA_GRE_FLOWINFO, read_traffic_class, IFLA_GRE_FLAGS},
    {"dsfield", IFLA_GRE_FLOWINFO, read_traffic_class, IFLA_GRE_FLAGS},
    {"flowlabel",
     IFLA_GRE_FLOWINFO,
     read_tunnel_flow_label,
     IFLA_GRE_FLAGS,
     {},
     exact,
     "invalid Flowlabel"},
    {"fl",
     IFLA_GRE_FLOWINFO,
     read_tunnel_flow_label,
     IFLA_GRE_FLAGS,
     {},
     exact,
     "invalid Flowlabel"},
    {"encaplimit",
     IFLA_GRE_ENCAP_LIMIT,
     read_encap_limit,
     IFLA_GRE_FLAGS,
     {},
     exact,
     "invalid ELIM"},
    {"dscp", IFLA_GRE_FLAGS, read_dscp, 0, {}, exact, "not inherit"},
    {"allow-localremote", IFLA_GRE_FLAGS, set_local_remote, 1, {}, exact},
    {"noallow-localremote", IFLA_GRE_FLAGS, set_local_remote, 0, {}, exact},
}};

constexpr std::array<LinkOption, 4> erspan_options{{
    {"erspan",
     IFLA_GRE_ERSPAN_INDEX,
     read_erspan_index,
     0,
     {},
     exact,
     "erspan index must be > 0 and <= 20-bit\n"},
    {"erspan_ver",
     IFLA_GRE_ERSPAN_VER,
     read_erspan_version,
     0,
     {},
     exact,
     "erspan version must be 0/1/2\n"},
    {"erspan_dir",
     IFLA_GRE_ERSPAN_DIR,
     read_erspan_direction,
     0,
     {},
     exact,
     "Invalid erspan direction."},
    {"erspan_hwid",
     IFLA_GRE_ERSPAN_HWID,
     read_erspan_hardware,
     0,
     {},
     exact,
     "invalid erspan hwid\n"},
}};

constexpr auto encapsulation = encap_options(IFLA_GRE_ENCAP_TYPE);
constexpr auto gre_options = joined(ipv4_options, ipv4_ttl_options, way_options, encapsulation);
constexpr auto erspan4_options = joined(gre_options, erspan_options);
constexpr auto gre6_options =
    joined(ipv6_options, ipv6_ttl_options, way_options, encapsulation, erspan_options);

constexpr std::string_view zero1 = "\0"sv, zero2 = "\0\0"sv, zero4 = "\0\0\0\0"sv;

constexpr std::array<TunnelAttribute, 7> head_layout{{
    {IFLA_GRE_COLLECT_METADATA, {}, Role::external},
    {IFLA_GRE_IKEY, zero4},
    {IFLA_GRE_OKEY, zero4},
    {IFLA_GRE_IFLAGS, zero2},
    {IFLA_GRE_OFLAGS, zero2},
    {IFLA_GRE_LOCAL},
    {IFLA_GRE_REMOTE},
}};
constexpr std::array<TunnelAttribute, 6> ipv4_layout{{
    {IFLA_GRE_PMTUDISC, "\1"sv},
    {IFLA_GRE_IGNORE_DF},
    {IFLA_GRE_TOS, zero1},
    {IFLA_GRE_LINK},
    {IFLA_GRE_TTL, zero1},
    {IFLA_GRE_FWMARK, zero4},
}};
constexpr std::array<TunnelAttribute, 6> ipv6_layout{{
    {IFLA_GRE_LINK},
    {IFLA_GRE_TTL, "\x40"sv},
    {IFLA_GRE_ENCAP_LIMIT, "\4"sv},
    {IFLA_GRE_FLOWINFO, zero4},
    {IFLA_GRE_FLAGS, zero4},
    {IFLA_GRE_FWMARK, zero4},
}};
constexpr std::array<TunnelAttribute, 4> erspan_layout{{
    {IFLA_GRE_ERSPAN_VER, "\1"sv},
    {IFLA_GRE_ERSPAN_INDEX},
    {IFLA_GRE_ERSPAN_DIR},
    {IFLA_GRE_ERSPAN_HWID},
}};
constexpr std::array<TunnelAttribute, 4> encap4_layout{{
    {IFLA_GRE_ENCAP_TYPE, zero2, Role::fresh},
    {IFLA_GRE_ENCAP_FLAGS, zero2, Role::fresh},
    {IFLA_GRE_ENCAP_SPORT, zero2, Role::fresh},
    {IFLA_GRE_ENCAP_DPORT, zero2, Role::fresh},
}};
constexpr std::array<TunnelAttribute, 4> encap6_layout{{
    {IFLA_GRE_ENCAP_TYPE, zero2, Role::fresh},
    {IFLA_GRE_ENCAP_FLAGS, "\2\0"sv, Role::fresh},
    {IFLA_GRE_ENCAP_SPORT, zero2, Role::fresh},
    {IFLA_GRE_ENCAP_DPORT, zero2, Role::fresh},
}};
constexpr auto gre_layout = joined(head_layout, ipv4_layout, encap4_layout);
constexpr auto erspan4_layout = joined(head_layout, ipv4_layout, erspan_layout, encap4_layout);
constexpr auto gre6_layout = joined(head_layout, ipv6_layout, erspan_layout, encap6_layout);

// Index, direction and hardware id are sent by the version alone.
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
        if (!scope.create()) replace(scope, type, "");
    };
    if (number != 1) drop(IFLA_GRE_ERSPAN_INDEX);
    if (number != 2) {
        drop(IFLA_GRE_ERSPAN_DIR);
        drop(IFLA_GRE_ERSPAN_HWID);
    } else if (scope.create()) {
        if (!scope.has(IFLA_GRE_ERSPAN_DIR)) replace(scope, IFLA_GRE_ERSPAN_DIR, "\0"s);
        if (!scope.has(IFLA_GRE_ERSPAN_HWID)) replace(scope, IFLA_GRE_ERSPAN_HWID, "\0\0"s);
    }
    return {};
}

// A multicast tunnel needs a source, and takes the keys that nobody has said from the group.
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
    if (const auto good = check_group(scope); !good) return good;
    return finish_tunnel(scope, gre_layout);
}

Parsed<void> finish_erspan4(OptionScope& scope) {
    if (const auto good = check_group(scope); !good) return good;
    if (const auto good = finish_erspan(scope); !good) return good;
    return finish_tunnel(scope, erspan4_layout);
}

Parsed<void> finish_gre6(OptionScope& scope) {
    if (const auto good = finish_erspan(scope); !good) return good;
    return finish_tunnel(scope, gre6_layout);
}

}  // namespace

const LinkKind gre_kind{"gre", gre_options, finish_gre, true};
const LinkKind gretap_kind{"gretap", gre_options, finish_gre, true};
const LinkKind erspan_kind{"erspan", erspan4_options, finish_erspan4, true};
const LinkKind ip6gre_kind{"ip6gre", gre6_options, finish_gre6, true};
const LinkKind ip6gretap_kind{"ip6gretap", gre6_options, finish_gre6, true};
const LinkKind ip6erspan_kind{"ip6erspan", gre6_options, finish_gre6, true};

}  // namespace nlsh
