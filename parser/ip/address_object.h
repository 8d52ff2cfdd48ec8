// The verbs of `ip address`, one function each (address_change.cpp, address_show.cpp).
#pragma once

#include "parser/ip/command.h"

namespace nlsh {

Parsed<AddressChange> parse_address_change(const ParseContext& context, AddressVerb verb,
                                           Arguments arguments);
Parsed<ObjectResult> parse_address_add(ParseContext& context, Arguments arguments);
Parsed<ObjectResult> parse_address_update(ParseContext& context, Arguments arguments);
Parsed<ObjectResult> parse_address_replace(ParseContext& context, Arguments arguments);
Parsed<ObjectResult> parse_address_delete(ParseContext& context, Arguments arguments);
Parsed<ObjectResult> parse_address_show(ParseContext& context, Arguments arguments);
Parsed<ObjectResult> parse_address_flush(ParseContext& context, Arguments arguments);

}  // namespace nlsh
