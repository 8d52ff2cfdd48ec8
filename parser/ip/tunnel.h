// ip tunnel: tunnels over IPv4 and (-6) IPv6 through ioctls of their kind's fallback device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace nlsh {

struct TunnelChange {
    uint32_t request = 0;    // SIOCADDTUNNEL, SIOCDEL6RD …
    std::string device;      // that is asked: the fallback device (gre0), or the tunnel itself
    std::string parameters;  // ip_tunnel_parm, ip6_tnl_parm2, ip_tunnel_prl or ip_tunnel_6rd
    std::string link = {};   // `dev`: its ifindex is put into the parameters
    size_t link_offset = 0;  // there
    std::string family_name = {};  // of what is shown for an error
    bool keep = false;             // a change: what the options don't say is asked from the kernel
    bool operator==(const TunnelChange&) const = default;
};

struct TunnelShow {
    bool ipv6 = false;
    std::string name = {};  // empty: all
    bool operator==(const TunnelShow&) const = default;
};

}  // namespace nlsh
