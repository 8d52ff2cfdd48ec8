// `ip route show …` and `ip route get …`
#pragma once

#include "parser/ip/arguments.h"
#include "parser/ip/command.h"
#include "parser/ip/route/show.h"

namespace nlsh {

Parsed<RouteShow> parse_route_show(const ParseContext& context, Arguments arguments);
Parsed<RouteGet> parse_route_get(const ParseContext& context, Arguments arguments);

}  // namespace nlsh
