// The verbs of ip link that have files of their own.
#pragma once

#include "backend/objects/link/words/link.h"
#include "parser/ip/command.h"

namespace nlsh {

Parsed<Request> parse_link_xstats(ParseContext& context, Arguments arguments);
Parsed<Request> parse_link_afstats(ParseContext& context, Arguments arguments);

}  // namespace nlsh
