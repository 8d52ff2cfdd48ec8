// One check of `nlsh doctor`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shim/doctor/process.h"

namespace nlsh {

struct Check {
    // failed: nlsh doesn't work; warning: it works, but could work better.
    enum class State : uint8_t { good, warning, failed };
    std::string name;
    State state = State::good;
    std::string found;
    std::string advice;  // what to do, unless the state is good
};
using Checks = std::vector<Check>;

// Checks iproute2 and the shell, rights, the preload, the kill switch, the server.
void check_installation(Checks& checks, const std::string& socket_prefix);
// Checks what the kernel offers, in a fresh network namespace.
void check_kernel(Checks& checks);
// Tries harmless calls as this process, by the preload and `nlsh -c`.
void check_own_calls(Checks& checks, const std::string& socket_prefix);
// Tries popen, system and exec as the process. `who` begins the checks' names. Returns whether any
// call is native.
bool check_calls(Checks& checks, const std::string& who, const ProcessView& process);
// Whether a target is a process's number; others are programs.
bool is_process(const std::string& target);
// For a program (a path), checks whether the preload can reach it. For a process (a number),
// whether the preload has, and which way the calls take.
void check_target(Checks& checks, const std::string& target, const std::string& socket_prefix);

}  // namespace nlsh
