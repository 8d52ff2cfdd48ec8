// The verbs of `ip address`, one function each (address_change.cpp, address_show.cpp).
#pragma once

#include "parser/ip/address/address.h"
#include "parser/ip/command.h"

namespace nlsh {

// add, change, replace and delete.
template <AddressVerb Which>
Parsed<ObjectResult> parse_address_as(ParseContext& context, Arguments arguments);
Parsed<ObjectResult> parse_address_show(ParseContext& context, Arguments arguments);
Parsed<ObjectResult> parse_address_flush(ParseContext& context, Arguments arguments);

}  // namespace nlsh
