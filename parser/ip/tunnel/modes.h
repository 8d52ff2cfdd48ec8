// The modes of `ip tunnel`, by their words.
#pragma once

#include <linux/if_tunnel.h>
#include <netinet/in.h>

#include <cstdint>
#include <string_view>

namespace nlsh {

inline constexpr uint16_t tunnel_is_vti = 1;  // VTI_ISVTI

struct TunnelMode {
    std::string_view word;
    uint8_t protocol;
    std::string_view device;
    uint16_t i_flags = 0;
};
inline constexpr TunnelMode ipv4_tunnel_modes[] = {
    {"ipip", IPPROTO_IPIP, "tunl0"},
    {"ip/ip", IPPROTO_IPIP, "tunl0"},
    {"gre", IPPROTO_GRE, "gre0"},
    {"gre/ip", IPPROTO_GRE, "gre0"},
    {"sit", IPPROTO_IPV6, "sit0"},
    {"ipv6/ip", IPPROTO_IPV6, "sit0"},
    {"isatap", IPPROTO_IPV6, "sit0", SIT_ISATAP},
    {"vti", IPPROTO_IPIP, "ip_vti0", tunnel_is_vti},
};
inline constexpr TunnelMode ipv6_tunnel_modes[] = {
    {"ip6ip6", IPPROTO_IPV6, "ip6tnl0"},
    {"ipv6/ipv6", IPPROTO_IPV6, "ip6tnl0"},
    {"vti6", IPPROTO_IPV6, "ip6_vti0", tunnel_is_vti},
    {"ipip6", IPPROTO_IPIP, "ip6tnl0"},
    {"ip4ip6", IPPROTO_IPIP, "ip6tnl0"},
    {"ip/ipv6", IPPROTO_IPIP, "ip6tnl0"},
    {"ipv4/ipv6", IPPROTO_IPIP, "ip6tnl0"},
    {"ip6gre", IPPROTO_GRE, "ip6gre0"},
    {"gre/ipv6", IPPROTO_GRE, "ip6gre0"},
    {"any", 0, "ip6tnl0"},
    {"any/ipv6", 0, "ip6tnl0"},
};

}  // namespace nlsh
