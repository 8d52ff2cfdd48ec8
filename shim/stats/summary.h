// What a server's statistics say, for people and for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace nlsh {

// Each entry of "latency" gets quantiles in microseconds instead of its buckets.
nlohmann::ordered_json with_quantiles(nlohmann::ordered_json statistics);
std::string as_tables(const nlohmann::ordered_json& statistics);
// The text format of Prometheus.
std::string as_prometheus(const nlohmann::ordered_json& statistics);

// What happened between two snapshots of one server. Counts that stood still are left out.
nlohmann::ordered_json difference(const nlohmann::ordered_json& before,
                                  const nlohmann::ordered_json& after);

}  // namespace nlsh
