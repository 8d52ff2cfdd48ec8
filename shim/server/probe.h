// Does a server answer? Asked by its own watchdog.
#pragma once

#include <chrono>
#include <string>

namespace nlsh {

// Sends what no server runs to the socket PREFIX.0 and waits so long for its refusal.
bool answers(const std::string& prefix, std::chrono::microseconds limit);

}  // namespace nlsh
