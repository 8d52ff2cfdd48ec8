// Runs a command line by the real shell, and captures its output.
#pragma once

#include <chrono>
#include <expected>
#include <string>
#include <vector>

namespace nlsh {

// A limit for programs that answer at once unless they are broken.
inline constexpr std::chrono::seconds quick_limit{10};

struct ShellRun {
    std::string line;
    std::vector<std::string> environment;  // NAME=VALUE
    std::string directory;                 // where to run; empty: here
    int netns = -1;                        // the network namespace's descriptor; -1: this one
    int standard_input = -1;               // -1: this process's
    // How long the line may run; 0: no limit. With a limit it gets its own process group.
    std::chrono::milliseconds limit{0};
};

struct Captured {
    std::string output;
    std::string error;
    int wait_status = 0;  // -1: unknown, because others reap our children or SIGCHLD is ignored
    bool operator==(const Captured&) const = default;
};

// An error is an errno: nothing has run, except ETIMEDOUT: at the limit, the process group was
// killed. Safe in a process with several threads.
std::expected<Captured, int> run_captured(const ShellRun& run);

}  // namespace nlsh
