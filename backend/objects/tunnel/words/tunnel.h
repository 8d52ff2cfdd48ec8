// ip tunnel: tunnels over IPv4 and (-6) IPv6, by ioctls on the fallback device of their kind.
#pragma once

#include <cstdint>
#include <string>

namespace nlsh {

struct TunnelChange {
    uint32_t request = 0;    // SIOCADDTUNNEL, SIOCDEL6RD …
    std::string device;      // the device to ask: the fallback device (gre0), or the tunnel itself
    std::string parameters;  // ip_tunnel_parm, ip6_tnl_parm2, ip_tunnel_prl or ip_tunnel_6rd
    // For a change: the bits of `parameters` that options have set. The tunnel keeps all others.
    std::string mask = {};
    std::string link = {};  // `dev`; empty: none
    bool ipv6 = false;
    bool operator==(const TunnelChange&) const = default;
};

struct TunnelShow {
    bool ipv6 = false;
    std::string name = {};  // empty: all
    bool operator==(const TunnelShow&) const = default;
};

}  // namespace nlsh
