// The verbs of ip link that have files of their own.
#pragma once

#include "backend/objects/link/words/link.h"
#include "parser/ip/command.h"

namespace nlsh {

// property add, property del: dev DEVICE altname NAME …
template <LinkChange::Action Which>
Parsed<Request> parse_link_property(ParseContext& context, Arguments arguments);
Parsed<Request> parse_link_xstats(ParseContext& context, Arguments arguments);
Parsed<Request> parse_link_afstats(ParseContext& context, Arguments arguments);

}  // namespace nlsh
