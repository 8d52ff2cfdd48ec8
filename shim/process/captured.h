// A command line run by the real shell, with all that it wrote.
#pragma once

#include <chrono>
#include <expected>
#include <string>
#include <vector>

namespace nlsh {

// For a program that answers at once unless it is broken.
inline constexpr std::chrono::seconds quick_limit{10};

struct ShellRun {
    std::string line;
    std::vector<std::string> environment;  // NAME=VALUE
    std::string directory;                 // where; empty: here
    int netns = -1;                        // of which network namespace; -1: this one
    int standard_input = -1;               // -1: this process's
    // How long it may run, 0: no limit. With one it has a process group of its own.
    std::chrono::milliseconds limit{0};
};

struct Captured {
    std::string output;
    std::string error;
    int wait_status = 0;  // -1: not known, another reaps our children or SIGCHLD is ignored
    bool operator==(const Captured&) const = default;
};

// The error is an errno: nothing has run; ETIMEDOUT: the process group was killed at the limit.
// Safe in a process with several threads.
std::expected<Captured, int> run_captured(const ShellRun& run);

}  // namespace nlsh
