// The verbs of `ip nexthop` that have files of their own.
#pragma once

#include "parser/ip/command.h"
#include "parser/ip/nexthop.h"

namespace nlsh {

Parsed<ObjectResult> parse_nexthop_add(ParseContext& context, Arguments arguments);
Parsed<ObjectResult> parse_nexthop_replace(ParseContext& context, Arguments arguments);

// What is said of a device that isn't there.
inline constexpr const char* missing_nexthop_device =
    "Error: argument \"{}\" is wrong: Device does not exist\n\n";

// The number after a keyword.
Parsed<void> take_nexthop_number(std::optional<uint32_t>& number, Arguments& arguments);

}  // namespace nlsh
