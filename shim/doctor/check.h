// One thing that `nlsh doctor` looks at.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shim/doctor/process.h"

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
// Tries harmless calls from here, by the preload and `nlsh -c`.
void check_own_calls(Checks& checks, const std::string& socket_prefix);
// Tries what a process would call by popen, system and exec. `who`: the checks' names. Returns
// whether one is native.
bool check_calls(Checks& checks, const std::string& who, const ProcessView& process);
// Is a target a process's number? All others are programs.
bool is_process(const std::string& target);
// Does the preload reach a program (a path)? Has it reached a process (a number), and which way do
// the calls of that process take?
void check_target(Checks& checks, const std::string& target, const std::string& socket_prefix);

}  // namespace nlsh
