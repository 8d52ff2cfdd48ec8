// Calls the server by wire.h's protocol, for programs in C++. The preload uses call.h.
#pragma once

#include <chrono>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "backend/shell/evaluate.h"

namespace nlsh {

struct ServerQuestion {
    std::string_view line;
    std::string_view environment;              // NAME=VALUE\0 …, of wire.h's list
    std::chrono::milliseconds patience{1000};  // until the server has begun
};

struct ServerAnswer {
    int wait_status = 0;  // a killed shell's, if the server died meanwhile
    std::string output;
    std::string error;
    std::vector<Failure> failures;
};

// Asks the server whose sockets begin with `prefix`. Withdraws if the server hasn't begun when
// patience ends. An error says why nothing has run, and nothing will. Thread-safe.
std::expected<ServerAnswer, std::string> ask_server(const std::string& prefix,
                                                    const ServerQuestion& question);

}  // namespace nlsh
