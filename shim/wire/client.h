// A call of the server by wire.h's protocol, for programs in C++ (call.h is what the preload
// shares).
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
    int wait_status = 0;  // of a shell that was killed, when the server died meanwhile
    std::string output;
    std::string error;
    std::vector<Failure> failures;
};

// Asks the server whose sockets begin with `prefix`. The error: nothing has run and nothing will,
// and why. A server that hasn't begun when patience ends is left. Thread-safe.
std::expected<ServerAnswer, std::string> ask_server(const std::string& prefix,
                                                    const ServerQuestion& question);

}  // namespace nlsh
