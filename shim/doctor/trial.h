// A harmless call, `ip link show lo`, made where a program runs: which way does it take?
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
    std::string reason;  // of a fallback
    std::string way;     // as the trace names it; may be empty
};

// As the process would call one of `system`, `popen`, `exec`: in its namespaces and root, with its
// environment and rights. The error says why it couldn't be tried.
std::expected<Trial, std::string> try_call(const ProcessView& process, const char* function);

// `nlsh -c`, here.
std::expected<Trial, std::string> try_nlsh();

}  // namespace nlsh
