// The words of `ip tunnel add | change | delete`, and where the kernel's structures have what they
// say. Only for tunnel_words.cpp.
#pragma once

#include <linux/if_tunnel.h>
#include <linux/ip6_tunnel.h>
#include <netinet/in.h>

#include <array>
#include <cstddef>

#include "parser/ip/joined.h"
#include "parser/ip/tunnel/words.h"

namespace nlsh {

enum class Takes : uint8_t {
    mode,
    name,
    link,
    address,     // place: its offset
    ttl,         // a byte at `place`; in IPv4 also inherit, which changes nothing
    tos,         // IPv4: a byte
    traffic,     // IPv6: the traffic class, or inherit
    flow_label,  // IPv6: 20 bits, or inherit
    encap_limit,
    dscp,
    key,   // place: 1 in, 2 out, 3 both
    flag,  // place: likewise; bits: of i_flags and o_flags
    discover,
    local_remote,
};
struct TunnelWords::Option {
    std::string_view word;
    Takes takes;
    size_t place = 0;
    uint32_t bits = 0;
};

using TunnelOption = TunnelWords::Option;

// Of keys and flags: what comes in, what goes out.
inline constexpr size_t tunnel_in = 1, tunnel_out = 2, tunnel_both = 3;

// Where a structure has what both have.
struct TunnelLayout {
    size_t size, i_flags, o_flags, i_key, o_key, protocol;
};
inline constexpr TunnelLayout tunnel_layout4{
    sizeof(ip_tunnel_parm),
    offsetof(ip_tunnel_parm, i_flags),
    offsetof(ip_tunnel_parm, o_flags),
    offsetof(ip_tunnel_parm, i_key),
    offsetof(ip_tunnel_parm, o_key),
    offsetof(ip_tunnel_parm, iph) + offsetof(iphdr, protocol)};
inline constexpr TunnelLayout tunnel_layout6{sizeof(ip6_tnl_parm2),
                                             offsetof(ip6_tnl_parm2, i_flags),
                                             offsetof(ip6_tnl_parm2, o_flags),
                                             offsetof(ip6_tnl_parm2, i_key),
                                             offsetof(ip6_tnl_parm2, o_key),
                                             offsetof(ip6_tnl_parm2, proto)};

inline constexpr size_t ipv4_header(size_t offset) {
    return offsetof(ip_tunnel_parm, iph) + offset;
}
inline constexpr size_t ipv4_ttl = ipv4_header(offsetof(iphdr, ttl));
inline constexpr size_t ipv4_tos = ipv4_header(offsetof(iphdr, tos));
inline constexpr size_t ipv4_fragment = ipv4_header(offsetof(iphdr, frag_off));
inline constexpr size_t ipv4_remote = ipv4_header(offsetof(iphdr, daddr));
inline constexpr size_t ipv4_local = ipv4_header(offsetof(iphdr, saddr));
inline constexpr size_t ipv6_ttl = offsetof(ip6_tnl_parm2, hop_limit);
inline constexpr size_t ipv6_limit = offsetof(ip6_tnl_parm2, encap_limit);
inline constexpr size_t ipv6_flow = offsetof(ip6_tnl_parm2, flowinfo);
inline constexpr size_t ipv6_flags = offsetof(ip6_tnl_parm2, flags);

inline constexpr auto tunnel_way_options = std::to_array<TunnelOption>({
    {"key", Takes::key, tunnel_both},
    {"ikey", Takes::key, tunnel_in},
    {"okey", Takes::key, tunnel_out},
    {"seq", Takes::flag, tunnel_both, GRE_SEQ},
    {"iseq", Takes::flag, tunnel_in, GRE_SEQ},
    {"oseq", Takes::flag, tunnel_out, GRE_SEQ},
    {"csum", Takes::flag, tunnel_both, GRE_CSUM},
    {"icsum", Takes::flag, tunnel_in, GRE_CSUM},
    {"ocsum", Takes::flag, tunnel_out, GRE_CSUM},
});
inline constexpr auto ipv4_tunnel_options =
    joined(tunnel_way_options, std::to_array<TunnelOption>({
                                   {"mode", Takes::mode},
                                   {"name", Takes::name},
                                   {"dev", Takes::link},
                                   {"remote", Takes::address, ipv4_remote},
                                   {"local", Takes::address, ipv4_local},
                                   {"ttl", Takes::ttl, ipv4_ttl},
                                   {"hoplimit", Takes::ttl, ipv4_ttl},
                                   {"hlim", Takes::ttl, ipv4_ttl},
                                   {"tos", Takes::tos, ipv4_tos},
                                   {"tclass", Takes::tos, ipv4_tos},
                                   {"dsfield", Takes::tos, ipv4_tos},
                                   {"pmtudisc", Takes::discover, ipv4_fragment, 1},
                                   {"nopmtudisc", Takes::discover, ipv4_fragment, 0},
                               }));
inline constexpr auto ipv6_tunnel_options =
    joined(tunnel_way_options, std::to_array<TunnelOption>({
                                   {"mode", Takes::mode},
                                   {"name", Takes::name},
                                   {"dev", Takes::link},
                                   {"remote", Takes::address, offsetof(ip6_tnl_parm2, raddr)},
                                   {"local", Takes::address, offsetof(ip6_tnl_parm2, laddr)},
                                   {"ttl", Takes::ttl, ipv6_ttl},
                                   {"hoplimit", Takes::ttl, ipv6_ttl},
                                   {"hlim", Takes::ttl, ipv6_ttl},
                                   {"tos", Takes::traffic},
                                   {"tclass", Takes::traffic},
                                   {"dsfield", Takes::traffic},
                                   {"flowlabel", Takes::flow_label},
                                   {"fl", Takes::flow_label},
                                   {"encaplimit", Takes::encap_limit},
                                   {"dscp", Takes::dscp},
                                   {"allow-localremote", Takes::local_remote, 0, 1},
                                   {"noallow-localremote", Takes::local_remote, 0, 0},
                               }));

}  // namespace nlsh
