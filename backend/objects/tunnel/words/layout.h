// Maps a tunnel's words to the kernel's two structures.
#pragma once

#include <linux/if_tunnel.h>
#include <linux/ip6_tunnel.h>

#include <cstddef>
#include <cstdint>

namespace nlsh {

inline constexpr uint16_t tunnel_is_vti = 1;  // VTI_ISVTI

// Both structures have these fields.
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

constexpr size_t ipv4_header(size_t offset) {
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

inline const TunnelLayout& tunnel_layout(bool ipv6) {
    return ipv6 ? tunnel_layout6 : tunnel_layout4;
}

}  // namespace nlsh
