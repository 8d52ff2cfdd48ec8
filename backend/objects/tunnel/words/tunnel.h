// ip tunnel: tunnels over IPv4 and (-6) IPv6, through ioctls of their kind's fallback device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace nlsh {

struct TunnelChange {
    uint32_t request = 0;    // SIOCADDTUNNEL, SIOCDEL6RD …
    std::string device;      // that is asked: the fallback device (gre0), or the tunnel itself
    std::string parameters;  // ip_tunnel_parm, ip6_tnl_parm2, ip_tunnel_prl or ip_tunnel_6rd
    // Of a change: the bits of `parameters` that options have set; the rest is as it is.
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
