// Asks a server for its statistics, or why it would decline a process.
#pragma once

#include <expected>
#include <string>

#include "shim/json/json.h"

namespace nlsh {

// Returns Registry::snapshot's document; reset: sets the counters to 0 afterwards. The error says
// why there is no answer.
std::expected<Json, std::string> ask_statistics(const std::string& socket_prefix,
                                                bool reset = false);

// Why the server would decline this process; empty: it wouldn't. The error says why there is no
// answer.
std::expected<std::string, std::string> ask_judgement(const std::string& socket_prefix,
                                                      const std::string& process);

}  // namespace nlsh
