// `ip neighbor`: requests.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "parser/ip/arguments.h"
#include "parser/ip/verb.h"

namespace nlsh {

struct NeighborChange {
    ChangeVerb verb = ChangeVerb::add;
    std::string device;
    InetPrefix destination;
    uint8_t flags = 0;            // NTF_*
    uint32_t extended_flags = 0;  // NTF_EXT_*
    uint8_t state = 0;            // NUD_*
    std::optional<LinkAddress> link_address;
    std::optional<uint8_t> protocol;
};

// NUD_NONE in a filter's states, because the kernel's NUD_NONE has no bit.
inline constexpr uint16_t neighbor_state_none = 0x100;

// Which entries a show lists, or a flush deletes.
struct NeighborFilter {
    std::string device;  // empty: all
    std::string master;
    bool master_is_vrf = false;
    uint8_t family = 0;
    bool proxy = false;
    bool unused = false;
    std::optional<uint16_t> states;  // NUD_* bits; nothing: the verb's default
    std::optional<InetPrefix> to;
    std::optional<uint8_t> protocol;
};

struct NeighborShow {
    NeighborFilter filter;
};
struct NeighborFlush {
    NeighborFilter filter;
};

struct NeighborGet {
    std::string device;
    InetPrefix destination;
    bool proxy = false;
};

}  // namespace nlsh
