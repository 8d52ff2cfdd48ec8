// ip link property add | del dev DEVICE altname NAME …
#pragma once

#include "parser/ip/command.h"

namespace nlsh {

Parsed<Request> parse_link_property(ParseContext& context, Arguments arguments);

}  // namespace nlsh
