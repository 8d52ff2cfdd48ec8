// The verbs of `ip address`, one function each (address_change.cpp, address_show.cpp).
#pragma once

#include "parser/ip/command.h"

namespace nlsh {

Parsed<AddressChange> parse_address_change(const ParseContext& context, AddressVerb verb,
                                           Arguments arguments);
// add, change, replace and delete.
template <AddressVerb Which>
Parsed<ObjectResult> parse_address_as(ParseContext& context, Arguments arguments);
Parsed<ObjectResult> parse_address_show(ParseContext& context, Arguments arguments);
Parsed<ObjectResult> parse_address_flush(ParseContext& context, Arguments arguments);

}  // namespace nlsh
