// The metrics of a route: mtu, advmss, congctl, …
#pragma once

#include "parser/ip/arguments.h"
#include "parser/ip/route/route.h"

namespace nlsh {

// Takes the next word and its value if it names a metric; false: it doesn't, nothing was taken.
Parsed<bool> take_metric(RouteMetrics& metrics, Arguments& arguments);

}  // namespace nlsh
