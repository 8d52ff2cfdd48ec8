// Asks a server for its statistics.
#pragma once

#include <expected>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace nlsh {

// What Registry::snapshot gave; reset: what comes later is counted from here. The error says why
// there is none.
std::expected<nlohmann::ordered_json, std::string> ask_statistics(const std::string& socket_prefix,
                                                                  bool reset = false);

}  // namespace nlsh
