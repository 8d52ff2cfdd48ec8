// One thing that `nlsh doctor` looks at.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace nlsh {

struct Check {
    // failed: nlsh doesn't work; warning: it works with less than there could be.
    enum class State : uint8_t { good, warning, failed };
    std::string name;
    State state = State::good;
    std::string found;
    std::string advice;  // what to do, unless it is good
};
using Checks = std::vector<Check>;

// iproute2 and the shell, rights, the preload, the kill switch, the server.
void check_installation(Checks& checks, const std::string& socket_prefix);
// What the kernel offers, tried in a network namespace of its own.
void check_kernel(Checks& checks);
// Does the preload reach a program (a path)? Has it reached a process (a number), and would the
// server answer that process?
void check_target(Checks& checks, const std::string& target, const std::string& socket_prefix);

}  // namespace nlsh
