// The metrics of a route: mtu, advmss, congctl, …
#pragma once

#include "parser/ip/arguments.h"
#include "parser/ip/route.h"

namespace nlsh {

// Takes the value of the metric that `keyword` names, if it names one: true.
Parsed<bool> take_metric(RouteMetrics& metrics, std::string_view keyword, Arguments& arguments);

}  // namespace nlsh
