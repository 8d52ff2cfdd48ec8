// Checks whether a server answers, for its own watchdog.
#pragma once

#include <chrono>
#include <string>

namespace nlsh {

// Sends an invalid request to the socket PREFIX.0 and waits up to `limit` for the refusal.
bool answers(const std::string& prefix, std::chrono::microseconds limit);

}  // namespace nlsh
