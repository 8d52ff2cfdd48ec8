// The verbs of `ip neighbor`, one function each (neighbor_change.cpp, neighbor_show.cpp), and
// values that they share.
#pragma once

#include "parser/ip/command.h"
#include "parser/ip/neighbor/neighbor.h"

namespace nlsh {

// add, change, replace and delete.
template <NeighborVerb Which>
Parsed<ObjectResult> parse_neighbor_as(ParseContext& context, Arguments arguments);
Parsed<ObjectResult> parse_neighbor_get(ParseContext& context, Arguments arguments);
Parsed<ObjectResult> parse_neighbor_show(ParseContext& context, Arguments arguments);
Parsed<ObjectResult> parse_neighbor_flush(ParseContext& context, Arguments arguments);

// NUD_* by name (an unambiguous prefix will do) or number.
Parsed<uint8_t> parse_neighbor_state(std::string_view word);
// The address of an entry; "default", "any" and "all" are declined.
Parsed<InetPrefix> parse_neighbor_address(std::string_view word, uint8_t family);
Parsed<uint8_t> parse_neighbor_protocol(std::string_view word, const NameTables& names);
// The family that -4, -6 … ask for; declines those that `ip neighbor` isn't answered for.
Parsed<uint8_t> neighbor_family(const Options& options);

}  // namespace nlsh
