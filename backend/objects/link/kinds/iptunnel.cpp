// IP in IP without a header between: IPIP and SIT over IPv4, IP6TNL over IPv6, and VTI.
#include <linux/if_link.h>
#include <linux/if_tunnel.h>
#include <linux/ip6_tunnel.h>
#include <netinet/in.h>

#include <algorithm>

#include "backend/errors.h"
#include "backend/objects/link/kinds/check.h"
#include "backend/objects/link/kinds/ip_tunnel.h"
#include "backend/render/format.h"
#include "parser/ip/joined.h"
#include "parser/ip/refusal.h"
#include "parser/try.h"

namespace nlsh {
namespace {

using namespace std::string_view_literals;
using Role = TunnelAttribute::Role;

constexpr std::string_view zero1 = "\0"sv, zero2 = "\0\0"sv, zero4 = "\0\0\0\0"sv;
constexpr const char* no_mtu_discovery = "ttl != 0 and nopmtudisc are incompatible\n";

// `mode`: the inner protocol. A show prints its first word.
struct Mode {
    std::string_view word;
    uint8_t protocol;
};
constexpr Mode over_ipv4[] = {
    {"ipip", IPPROTO_IPIP},   {"ip4ip4", IPPROTO_IPIP},    {"ipv4/ipv4", IPPROTO_IPIP},
    {"mplsip", IPPROTO_MPLS}, {"mpls/ipv4", IPPROTO_MPLS}, {"any", 0},
    {"any/ipv4", 0},
};
constexpr Mode over_ipv4_sit[] = {
    {"ipip", IPPROTO_IPIP},
    {"ip4ip4", IPPROTO_IPIP},
    {"ipv4/ipv4", IPPROTO_IPIP},
    {"ip6ip", IPPROTO_IPV6},
    {"ipv6/ipv4", IPPROTO_IPV6},
    {"mplsip", IPPROTO_MPLS},
    {"mpls/ipv4", IPPROTO_MPLS},
    {"any", 0},
    {"any/ipv4", 0},
};
constexpr Mode over_ipv6[] = {
    {"ip6ip6", IPPROTO_IPV6},
    {"ipv6/ipv6", IPPROTO_IPV6},
    {"ipip6", IPPROTO_IPIP},
    {"ip4ip6", IPPROTO_IPIP},
    {"ip/ipv6", IPPROTO_IPIP},
    {"ipv4/ipv6", IPPROTO_IPIP},
    {"any", 0},
    {"any/ipv6", 0},
};

template <const auto& modes>
Parsed<void> read_mode(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    const auto word = TRY(arguments.value(row.word));
    for (const Mode& mode : modes) {
        if (word != mode.word) continue;
        scope.replace(row.attribute, bytes_of(mode.protocol));
        return {};
    }
    return bad_value("link: unknown mode of a tunnel");
}

Parsed<void> set_isatap(OptionScope& scope, const LinkRow& row, Arguments&) {
    put_flags(scope, row.attribute, uint16_t{SIT_ISATAP}, true);
    return {};
}

// A prefix: the address goes to the row's attribute, the length to the parameter's.
Parsed<void> read_6rd(OptionScope& scope, const LinkRow& row, Arguments& arguments,
                      uint8_t family) {
    const auto word = TRY(arguments.value(row.word));
    const auto prefix = TRY(parse_prefix(word, family));
    if (prefix.size == 0) return declined("sit: no 6rd prefix");
    const auto bytes = prefix.span();
    scope.replace(row.attribute, std::string(bytes.begin(), bytes.end()));
    scope.replace(static_cast<uint16_t>(row.parameter), bytes_of(uint16_t{prefix.bits}));
    return {};
}
Parsed<void> read_6rd_prefix(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    return read_6rd(scope, row, arguments, AF_INET6);
}
Parsed<void> read_6rd_relay(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    return read_6rd(scope, row, arguments, AF_INET);
}

template <const auto& modes>
void print_mode(const KindOutput& output, const LinkRow& row, Attribute value) {
    const auto* mode = std::ranges::find(modes, value.u8(), &Mode::protocol);
    const bool known = mode != std::end(modes);
    if (!known) output.context.fall_back("unknown protocol of a tunnel");
    output.printer.string(row.json_key(), {}, known ? mode->word : "", " ");
}

// Prints the prefix of RFC 5969, and how many bits of IPv4 addresses it leaves out.
void print_6rd(const KindOutput& output, const LinkRow&, Attribute value) {
    if (value.u16() == 0) return;
    Printer& printer = output.printer;
    const Attribute prefix = output.attributes[IFLA_IPTUN_6RD_PREFIX];
    printer.string("prefix", "6rd-prefix ", format_address(AF_INET6, prefix.bytes()), "");
    printer.number("prefixlen", "/", value.u16(), " ");
    const Attribute relay = output.attributes[IFLA_IPTUN_6RD_RELAY_PREFIX];
    if (relay.u32() == 0) return;
    const uint16_t length = output.attributes[IFLA_IPTUN_6RD_RELAY_PREFIXLEN].u16();
    printer.string("relay_prefix", "6rd-relay_prefix ", format_address(AF_INET, relay.bytes()), "");
    printer.number("relay_prefixlen", "/", length, " ");
}

template <const auto& read, const auto& printed = read>
constexpr Codec tunnel_mode{read_mode<read>, print_mode<printed>};

constexpr const char* unknown_mode = "Cannot guess tunnel mode.";

// clang-format off
constexpr std::array<LinkRow, 1> external_row{{
    {.word = "external", .attribute = IFLA_IPTUN_COLLECT_METADATA, .codec = external,
     .exact = true, .set_since = external_since},
}};
constexpr LinkRow mode_row(Codec codec) {
    return {.word = "mode", .attribute = IFLA_IPTUN_PROTO, .codec = codec, .exact = true,
            .complaint = unknown_mode, .key = "proto"};
}
constexpr std::array<LinkRow, 8> ipv4_rows{{
    {.word = "remote", .attribute = IFLA_IPTUN_REMOTE, .codec = endpoint4, .exact = true},
    {.word = "local", .attribute = IFLA_IPTUN_LOCAL, .codec = endpoint4, .exact = true},
    {.word = "dev", .attribute = IFLA_IPTUN_LINK, .codec = strict_device, .key = "link"},
    {.word = "ttl", .also = {"hoplimit", "hlim"}, .attribute = IFLA_IPTUN_TTL,
     .codec = tunnel_ttl, .exact = true, .complaint = invalid_ttl},
    {.word = "tos", .also = {"tclass"}, .attribute = IFLA_IPTUN_TOS, .codec = tunnel_tos,
     .exact = true},
    {.word = "dsfield", .attribute = IFLA_IPTUN_TOS, .codec = {read_tunnel_tos}},
    {.word = "pmtudisc", .attribute = IFLA_IPTUN_PMTUDISC,
     .codec = {set_tunnel_u8, print_negatable}, .parameter = 1, .exact = true},
    {.word = "nopmtudisc", .attribute = IFLA_IPTUN_PMTUDISC, .codec = {set_tunnel_u8},
     .exact = true},
}};
constexpr std::array<LinkRow, 4> sit_own_rows{{
    {.word = "isatap", .attribute = IFLA_IPTUN_FLAGS, .codec = {set_isatap, print_bit<SIT_ISATAP>},
     .exact = true},
    {.word = "6rd-prefix", .attribute = IFLA_IPTUN_6RD_PREFIX, .codec = {read_6rd_prefix},
     .parameter = IFLA_IPTUN_6RD_PREFIXLEN, .exact = true},
    {.word = "6rd-relay_prefix", .attribute = IFLA_IPTUN_6RD_RELAY_PREFIX,
     .codec = {read_6rd_relay}, .parameter = IFLA_IPTUN_6RD_RELAY_PREFIXLEN, .exact = true},
    {.attribute = IFLA_IPTUN_6RD_PREFIXLEN, .codec = {.print = print_6rd}},
}};
constexpr std::array<LinkRow, 1> fwmark_row{{
    {.word = "fwmark", .attribute = IFLA_IPTUN_FWMARK, .codec = fwmark, .exact = true},
}};
constexpr std::array<LinkRow, 11> ipv6_rows{{
    {.word = "remote", .attribute = IFLA_IPTUN_REMOTE, .codec = endpoint6, .exact = true},
    {.word = "local", .attribute = IFLA_IPTUN_LOCAL, .codec = endpoint6, .exact = true},
    {.word = "dev", .attribute = IFLA_IPTUN_LINK, .codec = strict_device, .key = "link"},
    {.word = "hoplimit", .also = {"ttl", "hlim"}, .attribute = IFLA_IPTUN_TTL,
     .codec = tunnel_ttl, .exact = true, .complaint = invalid_hop_limit, .key = "ttl"},
    {.word = "encaplimit", .attribute = IFLA_IPTUN_ENCAP_LIMIT, .codec = encap_limit,
     .parameter = IFLA_IPTUN_FLAGS, .exact = true, .key = "encap_limit"},
    {.word = "tclass", .also = {"tos"}, .attribute = IFLA_IPTUN_FLOWINFO,
     .codec = traffic_class, .parameter = IFLA_IPTUN_FLAGS, .exact = true},
    {.word = "dsfield", .attribute = IFLA_IPTUN_FLOWINFO, .codec = {read_traffic_class},
     .parameter = IFLA_IPTUN_FLAGS},
    {.word = "flowlabel", .also = {"fl"}, .attribute = IFLA_IPTUN_FLOWINFO,
     .codec = tunnel_flow_label, .parameter = IFLA_IPTUN_FLAGS, .exact = true,
     .complaint = "invalid Flowlabel"},
    {.word = "dscp", .attribute = IFLA_IPTUN_FLAGS,
     .codec = {read_dscp, print_bit<IP6_TNL_F_RCV_DSCP_COPY>}, .exact = true,
     .complaint = "not inherit", .key = "ip6_tnl_f_rcv_dscp_copy", .label = "dscp inherit"},
    {.word = "allow-localremote", .attribute = IFLA_IPTUN_FLAGS,
     .codec = {set_local_remote, print_bit<IP6_TNL_F_ALLOW_LOCAL_REMOTE>}, .parameter = 1,
     .exact = true, .key = "ip6_tnl_f_allow_local_remote"},
    {.word = "noallow-localremote", .attribute = IFLA_IPTUN_FLAGS, .codec = {set_local_remote},
     .exact = true},
}};
// clang-format on

constexpr auto encapsulation = encap_rows(IFLA_IPTUN_ENCAP_TYPE);
constexpr auto ipip_rows =
    joined(external_row, std::array{mode_row(tunnel_mode<over_ipv4, over_ipv4_sit>)}, ipv4_rows,
           shown_only(sit_own_rows), fwmark_row, encapsulation);
constexpr auto sit_rows = joined(external_row, std::array{mode_row(tunnel_mode<over_ipv4_sit>)},
                                 ipv4_rows, sit_own_rows, fwmark_row, encapsulation);
constexpr auto ip6tnl_rows = joined(external_row, std::array{mode_row(tunnel_mode<over_ipv6>)},
                                    ipv6_rows, fwmark_row, encapsulation);

constexpr std::array<TunnelAttribute, 4> head_layout{{
    {IFLA_IPTUN_PROTO, zero1},
    {IFLA_IPTUN_COLLECT_METADATA, {}, Role::external},
    {IFLA_IPTUN_LOCAL, {}, Role::nonzero},
    {IFLA_IPTUN_REMOTE, {}, Role::nonzero},
}};
constexpr std::array<TunnelAttribute, 3> ipv4_layout{{
    {IFLA_IPTUN_PMTUDISC, "\1"sv},
    {IFLA_IPTUN_TOS, zero1},
    {IFLA_IPTUN_TTL, zero1},
}};
constexpr std::array<TunnelAttribute, 4> ipv6_layout{{
    {IFLA_IPTUN_TTL, "\x40"sv},
    {IFLA_IPTUN_ENCAP_LIMIT, "\4"sv},
    {IFLA_IPTUN_FLOWINFO, zero4},
    {IFLA_IPTUN_FLAGS, zero4},
}};
constexpr std::array<TunnelAttribute, 2> link_layout{{
    {IFLA_IPTUN_LINK, zero4},
    {IFLA_IPTUN_FWMARK, zero4},
}};
constexpr auto encap4_layout = encap_layout(IFLA_IPTUN_ENCAP_TYPE, zero2);
constexpr auto encap6_layout = encap_layout(IFLA_IPTUN_ENCAP_TYPE, "\2\0"sv, Role::fresh);
constexpr std::array<TunnelAttribute, 5> sit_layout{{
    {IFLA_IPTUN_FLAGS, zero2},
    {IFLA_IPTUN_6RD_PREFIX, {}, Role::fresh},
    {IFLA_IPTUN_6RD_PREFIXLEN, {}, Role::fresh},
    {IFLA_IPTUN_6RD_RELAY_PREFIX, {}, Role::fresh},
    {IFLA_IPTUN_6RD_RELAY_PREFIXLEN, {}, Role::fresh},
}};
constexpr auto ipip_all = joined(head_layout, ipv4_layout, link_layout, encap4_layout);
constexpr auto sit_all = joined(ipip_all, sit_layout);
constexpr auto ip6tnl_all = joined(head_layout, ipv6_layout, link_layout, encap6_layout);

// iproute2 refuses a fixed TTL without discovery of the path's MTU.
Parsed<void> check_mtu_discovery(const OptionScope& scope) {
    const std::string* discover = scope.bytes(IFLA_IPTUN_PMTUDISC);
    const std::string* ttl = scope.bytes(IFLA_IPTUN_TTL);
    const bool off = discover != nullptr && discover->front() == 0;
    const bool fixed = ttl != nullptr && ttl->front() != 0;
    const bool change = !scope.create();
    if (off && fixed) return refused(no_mtu_discovery);
    if (off && change && ttl == nullptr) return declined("tunnel: nopmtudisc");
    return {};
}

Parsed<void> finish_ipip(OptionScope& scope) {
    TRY(check_mtu_discovery(scope));
    return finish_tunnel(scope, ipip_all);
}
Parsed<void> finish_sit(OptionScope& scope) {
    TRY(check_mtu_discovery(scope));
    return finish_tunnel(scope, sit_all);
}
Parsed<void> finish_ip6tnl(OptionScope& scope) {
    return finish_tunnel(scope, ip6tnl_all);
}

// The link's own TTL and MTU discovery are known only if nlsh asked for the link.
int check_kept_mtu_discovery(Context& context, const KindChange& change) {
    constexpr int usage_error = 255;
    if (change.existing == nullptr) return 0;
    const Attributes<IFLA_IPTUN_MAX> old(*change.existing);
    const bool lacks = !old[IFLA_IPTUN_COLLECT_METADATA] && change.sent_u8(IFLA_IPTUN_TTL) != 0 &&
                       change.sent_u8(IFLA_IPTUN_PMTUDISC) == 0;
    if (!lacks) return 0;
    print_error(context, no_mtu_discovery);
    return usage_error;
}

// VTI keys have no flags.
template <bool in, bool out>
Parsed<void> read_vti_key(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    const auto word = TRY(arguments.value(row.word));
    const auto key = TRY(parse_key(row.word, word));
    if (in) scope.replace(IFLA_VTI_IKEY, key);
    if (out) scope.replace(IFLA_VTI_OKEY, key);
    return {};
}

constexpr Codec ikey{read_vti_key<true, false>, print_inet_if_set};
constexpr Codec okey{read_vti_key<false, true>, print_inet_if_set};

constexpr std::array<LinkRow, 7> vti_rows(Codec endpoint) {
    return {{
        {.word = "remote", .attribute = IFLA_VTI_REMOTE, .codec = endpoint},
        {.word = "local", .attribute = IFLA_VTI_LOCAL, .codec = endpoint},
        {.word = "dev", .attribute = IFLA_VTI_LINK, .codec = strict_device, .key = "link"},
        {.word = "key", .attribute = IFLA_VTI_IKEY, .codec = {read_vti_key<true, true>}},
        {.word = "ikey", .attribute = IFLA_VTI_IKEY, .codec = ikey},
        {.word = "okey", .attribute = IFLA_VTI_OKEY, .codec = okey},
        {.word = "fwmark", .attribute = IFLA_VTI_FWMARK, .codec = fwmark, .exact = true},
    }};
}
constexpr auto vti4_rows = vti_rows(endpoint4);
constexpr auto vti6_rows = vti_rows(endpoint6);
constexpr TunnelAttribute vti_layout[] = {
    {IFLA_VTI_IKEY, zero4},
    {IFLA_VTI_OKEY, zero4},
    {IFLA_VTI_LOCAL, {}, Role::nonzero},
    {IFLA_VTI_REMOTE, {}, Role::nonzero},
    {IFLA_VTI_FWMARK, zero4},
    {IFLA_VTI_LINK, {}, Role::nonzero},
};
Parsed<void> finish_vti(OptionScope& scope) {
    return finish_tunnel(scope, vti_layout);
}

}  // namespace

extern constexpr LinkKind ipip_kind{.name = "ipip",
                                    .rows = ipip_rows,
                                    .asks_first = true,
                                    .finish = finish_ipip,
                                    .check = check_kept_mtu_discovery};
extern constexpr LinkKind sit_kind{.name = "sit",
                                   .rows = sit_rows,
                                   .asks_first = true,
                                   .finish = finish_sit,
                                   .check = check_kept_mtu_discovery};
extern constexpr LinkKind ip6tnl_kind{
    .name = "ip6tnl", .rows = ip6tnl_rows, .asks_first = true, .finish = finish_ip6tnl};
extern constexpr LinkKind vti_kind{
    .name = "vti", .rows = vti4_rows, .asks_first = true, .finish = finish_vti};
extern constexpr LinkKind vti6_kind{
    .name = "vti6", .rows = vti6_rows, .asks_first = true, .finish = finish_vti};

}  // namespace nlsh
