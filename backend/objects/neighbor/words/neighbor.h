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

class Request;
struct NameTables;
struct Options;
struct ParseContext;

// The words after the verb. All these verbs take the same words.
template <ChangeVerb Which>
Parsed<Request> parse_neighbor_as(ParseContext& context, Arguments arguments);
Parsed<Request> parse_neighbor_get(ParseContext& context, Arguments arguments);
Parsed<Request> parse_neighbor_show(ParseContext& context, Arguments arguments);
Parsed<Request> parse_neighbor_flush(ParseContext& context, Arguments arguments);

// NUD_* by name (or unambiguous prefix) or number.
Parsed<uint8_t> parse_neighbor_state(std::string_view word);
// An entry's address. Declines "default", "any" and "all".
Parsed<InetPrefix> parse_neighbor_address(std::string_view word, uint8_t family);
Parsed<uint8_t> parse_neighbor_protocol(std::string_view word, const NameTables& names);
// The family by -4, -6 …. Declines families that nlsh doesn't support here.
Parsed<uint8_t> neighbor_family(const Options& options);

}  // namespace nlsh
