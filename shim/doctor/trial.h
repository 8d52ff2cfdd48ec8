// A harmless call, `ip link show lo`, made as a program would make it: which way does it take?
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

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

// `nlsh -c`, here.
std::expected<Trial, std::string> try_nlsh();

}  // namespace nlsh
