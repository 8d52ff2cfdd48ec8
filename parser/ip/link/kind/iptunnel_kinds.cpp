// IP in IP without a header between: IPIP and SIT over IPv4, IP6TNL over IPv6, and VTI.
#include <linux/if_link.h>
#include <linux/if_tunnel.h>

#include "parser/ip/joined.h"
#include "parser/ip/link/kind/ip_tunnel.h"
#include "parser/ip/link/kind/kind.h"
#include "parser/ip/refusal.h"

namespace nlsh {
namespace {

using namespace std::string_view_literals;
using Role = TunnelAttribute::Role;

constexpr auto exact = Spelling::exact;
constexpr auto strict = static_cast<uint32_t>(LinkDevice::Role::strict);
constexpr std::string_view zero1 = "\0"sv, zero2 = "\0\0"sv, zero4 = "\0\0\0\0"sv;

// `mode`: the protocol that is carried.
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
    {"ip4ip6", IPPROTO_IPIP},
    {"ipip6", IPPROTO_IPIP},
    {"ip/ipv6", IPPROTO_IPIP},
    {"ipv4/ipv6", IPPROTO_IPIP},
    {"any", 0},
    {"any/ipv6", 0},
};

template <const auto& modes>
Parsed<void> read_mode(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    const auto word = arguments.value(option.word);
    if (!word) return std::unexpected(word.error());
    for (const Mode& mode : modes) {
        if (*word != mode.word) continue;
        replace(scope, option.attribute, bytes_of(mode.protocol));
        return {};
    }
    return bad_value("link: unknown mode of a tunnel");
}

Parsed<void> set_external(OptionScope& scope, const LinkOption& option, Arguments&) {
    replace(scope, option.attribute, "");
    return {};
}

Parsed<void> set_isatap(OptionScope& scope, const LinkOption& option, Arguments&) {
    put_flags(scope, option.attribute, uint16_t{SIT_ISATAP}, true);
    return {};
}

// A prefix: its address, and in the parameter's attribute its length.
Parsed<void> read_6rd(OptionScope& scope, const LinkOption& option, Arguments& arguments,
                      uint8_t family) {
    const auto word = arguments.value(option.word);
    if (!word) return std::unexpected(word.error());
    const auto prefix = parse_prefix(*word, family);
    if (!prefix) return std::unexpected(prefix.error());
    if (prefix->size == 0) return declined("sit: no 6rd prefix");
    const auto bytes = prefix->span();
    replace(scope, option.attribute, std::string(bytes.begin(), bytes.end()));
    replace(scope, static_cast<uint16_t>(option.parameter), bytes_of(uint16_t{prefix->bits}));
    return {};
}
Parsed<void> read_6rd_prefix(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    return read_6rd(scope, option, arguments, AF_INET6);
}
Parsed<void> read_6rd_relay(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    return read_6rd(scope, option, arguments, AF_INET);
}

// iproute2 says "TTL" or "HLIM" of a wrong one.
constexpr std::array<LinkOption, 6> common_options(const char* wrong_ttl) {
    return {{
        {"ttl", IFLA_IPTUN_TTL, read_tunnel_ttl, 0, {}, exact, wrong_ttl},
        {"hoplimit", IFLA_IPTUN_TTL, read_tunnel_ttl, 0, {}, exact, wrong_ttl},
        {"hlim", IFLA_IPTUN_TTL, read_tunnel_ttl, 0, {}, exact, wrong_ttl},
        {"dev", IFLA_IPTUN_LINK, read_device, strict},
        {"external", IFLA_IPTUN_COLLECT_METADATA, set_external, 0, {}, exact},
        {"fwmark", IFLA_IPTUN_FWMARK, read_fwmark, 0, {}, exact},
    }};
}
constexpr auto common4_options = common_options("invalid TTL\n");
constexpr auto common6_options = common_options("invalid HLIM\n");
constexpr std::array<LinkOption, 7> ipv4_options{{
    {"remote", IFLA_IPTUN_REMOTE, read_endpoint4, 0, {}, exact},
    {"local", IFLA_IPTUN_LOCAL, read_endpoint4, 0, {}, exact},
    {"tos", IFLA_IPTUN_TOS, read_tunnel_tos, 0, {}, exact},
    {"tclass", IFLA_IPTUN_TOS, read_tunnel_tos, 0, {}, exact},
    {"dsfield", IFLA_IPTUN_TOS, read_tunnel_tos},
    {"pmtudisc", IFLA_IPTUN_PMTUDISC, set_tunnel_u8, 1, {}, exact},
    {"nopmtudisc", IFLA_IPTUN_PMTUDISC, set_tunnel_u8, 0, {}, exact},
}};
constexpr std::array<LinkOption, 1> ipip_own_options{{
    {"mode", IFLA_IPTUN_PROTO, read_mode<over_ipv4>, 0, {}, exact, "Cannot guess tunnel mode."},
}};
constexpr std::array<LinkOption, 4> sit_own_options{{
    {"mode", IFLA_IPTUN_PROTO, read_mode<over_ipv4_sit>, 0, {}, exact, "Cannot guess tunnel mode."},
    {"isatap", IFLA_IPTUN_FLAGS, set_isatap, 0, {}, exact},
    {"6rd-prefix", IFLA_IPTUN_6RD_PREFIX, read_6rd_prefix, IFLA_IPTUN_6RD_PREFIXLEN, {}, exact},
    {"6rd-relay_prefix",
     IFLA_IPTUN_6RD_RELAY_PREFIX,
     read_6rd_relay,
     IFLA_IPTUN_6RD_RELAY_PREFIXLEN,
     {},
     exact},
}};
constexpr std::array<LinkOption, 12> ipv6_options{{
    {"mode", IFLA_IPTUN_PROTO, read_mode<over_ipv6>, 0, {}, exact, "Cannot guess tunnel mode."},
    {"remote", IFLA_IPTUN_REMOTE, read_endpoint6, 0, {}, exact},
    {"local", IFLA_IPTUN_LOCAL, read_endpoint6, 0, {}, exact},
    {"tos", IFLA_IPTUN_FLOWINFO, read_traffic_class, IFLA_IPTUN_FLAGS, {}, exact},
    {"tclass", IFLA_IPTUN_FLOWINFO, read_traffic_class, IFLA_IPTUN_FLAGS, {}, exact},
    {"dsfield", IFLA_IPTUN_FLOWINFO, read_traffic_class, IFLA_IPTUN_FLAGS},
    {"flowlabel",
     IFLA_IPTUN_FLOWINFO,
     read_tunnel_flow_label,
     IFLA_IPTUN_FLAGS,
     {},
     exact,
     "invalid Flowlabel"},
    {"fl",
     IFLA_IPTUN_FLOWINFO,
     read_tunnel_flow_label,
     IFLA_IPTUN_FLAGS,
     {},
     exact,
     "invalid Flowlabel"},
    {"encaplimit", IFLA_IPTUN_ENCAP_LIMIT, read_encap_limit, IFLA_IPTUN_FLAGS, {}, exact},
    {"dscp", IFLA_IPTUN_FLAGS, read_dscp, 0, {}, exact, "not inherit"},
    {"allow-localremote", IFLA_IPTUN_FLAGS, set_local_remote, 1, {}, exact},
    {"noallow-localremote", IFLA_IPTUN_FLAGS, set_local_remote, 0, {}, exact},
}};

constexpr auto encapsulation = encap_options(IFLA_IPTUN_ENCAP_TYPE);
constexpr auto ipip_options =
    joined(common4_options, ipv4_options, ipip_own_options, encapsulation);
constexpr auto sit_options = joined(common4_options, ipv4_options, sit_own_options, encapsulation);
constexpr auto ip6tnl_options = joined(common6_options, ipv6_options, encapsulation);

constexpr std::array<TunnelAttribute, 4> head_layout{{
    {IFLA_IPTUN_PROTO, zero1},
    {IFLA_IPTUN_COLLECT_METADATA, {}, Role::external},
    {IFLA_IPTUN_LOCAL},
    {IFLA_IPTUN_REMOTE},
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
constexpr std::array<TunnelAttribute, 4> encap4_layout{{
    {IFLA_IPTUN_ENCAP_TYPE, zero2, Role::fresh},
    {IFLA_IPTUN_ENCAP_FLAGS, zero2, Role::fresh},
    {IFLA_IPTUN_ENCAP_SPORT, zero2, Role::fresh},
    {IFLA_IPTUN_ENCAP_DPORT, zero2, Role::fresh},
}};
constexpr std::array<TunnelAttribute, 4> encap6_layout{{
    {IFLA_IPTUN_ENCAP_TYPE, zero2, Role::fresh},
    {IFLA_IPTUN_ENCAP_FLAGS, "\2\0"sv, Role::fresh},
    {IFLA_IPTUN_ENCAP_SPORT, zero2, Role::fresh},
    {IFLA_IPTUN_ENCAP_DPORT, zero2, Role::fresh},
}};
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

// A fixed TTL always discovers the path's MTU: iproute2 refuses the two together.
Parsed<void> check_mtu_discovery(const OptionScope& scope) {
    const std::string* discover = scope.bytes(IFLA_IPTUN_PMTUDISC);
    const std::string* ttl = scope.bytes(IFLA_IPTUN_TTL);
    const bool off = discover != nullptr && discover->front() == 0;
    const bool fixed = ttl != nullptr && ttl->front() != 0;
    const bool change = !scope.create();
    if (off && fixed) return refused("ttl != 0 and nopmtudisc are incompatible\n");
    if (off && change && ttl == nullptr) return declined("tunnel: nopmtudisc");
    return {};
}

Parsed<void> finish_ipip(OptionScope& scope) {
    if (const auto good = check_mtu_discovery(scope); !good) return good;
    return finish_tunnel(scope, ipip_all);
}
Parsed<void> finish_sit(OptionScope& scope) {
    if (const auto good = check_mtu_discovery(scope); !good) return good;
    return finish_tunnel(scope, sit_all);
}
Parsed<void> finish_ip6tnl(OptionScope& scope) {
    return finish_tunnel(scope, ip6tnl_all);
}

// VTI: keys without flags.
template <bool in, bool out>
Parsed<void> read_vti_key(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    const auto word = arguments.value(option.word);
    if (!word) return std::unexpected(word.error());
    const auto key = parse_key(option.word, *word);
    if (!key) return std::unexpected(key.error());
    if (in) replace(scope, IFLA_VTI_IKEY, *key);
    if (out) replace(scope, IFLA_VTI_OKEY, *key);
    return {};
}

constexpr std::array<LinkOption, 5> vti_common_options{{
    {"key", IFLA_VTI_IKEY, read_vti_key<true, true>},
    {"ikey", IFLA_VTI_IKEY, read_vti_key<true, false>},
    {"okey", IFLA_VTI_OKEY, read_vti_key<false, true>},
    {"dev", IFLA_VTI_LINK, read_device, strict},
    {"fwmark", IFLA_VTI_FWMARK, read_fwmark, 0, {}, exact},
}};
constexpr auto vti_options =
    joined(vti_common_options, std::array<LinkOption, 2>{{
                                   {"remote", IFLA_VTI_REMOTE, read_endpoint4},
                                   {"local", IFLA_VTI_LOCAL, read_endpoint4},
                               }});
constexpr auto vti6_options =
    joined(vti_common_options, std::array<LinkOption, 2>{{
                                   {"remote", IFLA_VTI_REMOTE, read_endpoint6},
                                   {"local", IFLA_VTI_LOCAL, read_endpoint6},
                               }});
constexpr TunnelAttribute vti_layout[] = {
    {IFLA_VTI_IKEY, zero4}, {IFLA_VTI_OKEY, zero4},   {IFLA_VTI_LOCAL},
    {IFLA_VTI_REMOTE},      {IFLA_VTI_FWMARK, zero4}, {IFLA_VTI_LINK},
};
Parsed<void> finish_vti(OptionScope& scope) {
    return finish_tunnel(scope, vti_layout);
}

}  // namespace

const LinkKind ipip_kind{"ipip", ipip_options, finish_ipip, true};
const LinkKind sit_kind{"sit", sit_options, finish_sit, true};
const LinkKind ip6tnl_kind{"ip6tnl", ip6tnl_options, finish_ip6tnl, true};
const LinkKind vti_kind{"vti", vti_options, finish_vti, true};
const LinkKind vti6_kind{"vti6", vti6_options, finish_vti, true};

}  // namespace nlsh
