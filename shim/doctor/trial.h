// Makes a harmless call, `ip link show lo`, as a program would, and finds out its way.
#pragma once

#include <expected>
#include <string>

#include "shim/doctor/process.h"

namespace nlsh {

struct Trial {
    std::string function;
    bool native = false;
    std::string reason;  // why it fell back
    std::string way;     // as the trace names it; may be empty
};

// Calls one of `system`, `popen`, `exec` as the process would: in its namespaces and root, with its
// environment and rights. The error says why that is impossible.
std::expected<Trial, std::string> try_call(const ProcessView& process, const char* function);

// Tries `nlsh -c` in this process's place.
std::expected<Trial, std::string> try_nlsh();

}  // namespace nlsh
