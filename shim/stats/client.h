// Asks a server for its statistics, and what it thinks of a process.
#pragma once

#include <expected>
#include <string>

#include "shim/json/json.h"

namespace nlsh {

// What Registry::snapshot gave; reset: what comes later is counted from here. The error says why
// there is none.
std::expected<Json, std::string> ask_statistics(const std::string& socket_prefix,
                                                bool reset = false);

// Why the server would decline what this process asks; empty when it would not. The error says why
// there is no answer.
std::expected<std::string, std::string> ask_judgement(const std::string& socket_prefix,
                                                      const std::string& process);

}  // namespace nlsh
