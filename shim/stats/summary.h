// What a server's statistics say, for people and for programs.
#pragma once

#include <string>

#include "shim/json/json.h"

namespace nlsh {

// "latency" gets quantiles in microseconds instead of its buckets.
Json with_quantiles(Json statistics);
std::string as_tables(const Json& statistics);
// The text format of Prometheus.
std::string as_prometheus(const Json& statistics);

// What happened between two snapshots of one server. Counts that stood still are left out.
Json difference(const Json& before, const Json& after);

}  // namespace nlsh
