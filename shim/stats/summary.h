// Prints a server's statistics, for people and for programs.
#pragma once

#include <string>

#include "shim/json/json.h"

namespace nlsh {

// Replaces the buckets of "latency" by quantiles in microseconds.
Json with_quantiles(Json statistics);
std::string as_tables(const Json& statistics);
// The text format of Prometheus.
std::string as_prometheus(const Json& statistics);

// The changes between two snapshots of one server, without unchanged counts.
Json difference(const Json& before, const Json& after);

}  // namespace nlsh
