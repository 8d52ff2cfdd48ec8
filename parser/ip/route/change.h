// `ip route add|change|replace|prepend|append|test|delete …`
#pragma once

#include "parser/ip/arguments.h"
#include "parser/ip/command.h"
#include "parser/ip/route/route.h"

namespace nlsh {

Parsed<RouteChange> parse_route_change(RouteVerb verb, const ParseContext& context,
                                       Arguments arguments);

}  // namespace nlsh
