// ip tuntap: persistent TUN and TAP devices.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace nlsh {

struct TuntapChange {
    bool persist = true;    // add, else del
    std::string name = {};  // empty: the kernel picks one
    uint16_t flags = 0;     // ifr_flags of TUNSETIFF
    std::optional<uint32_t> owner = {}, group = {};
    bool operator==(const TuntapChange&) const = default;
};

// Shows all devices: iproute2 ignores words after `show`.
struct TuntapShow {
    bool operator==(const TuntapShow&) const = default;
};

}  // namespace nlsh
