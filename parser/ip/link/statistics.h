// The verbs xstats and afstats of ip link.
#pragma once

#include "parser/ip/command.h"

namespace nlsh {

Parsed<Request> parse_link_xstats(ParseContext& context, Arguments arguments);
Parsed<Request> parse_link_afstats(ParseContext& context, Arguments arguments);

}  // namespace nlsh
