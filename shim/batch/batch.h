// `ip -batch FILE` and `bridge -batch FILE` in process.
#pragma once

#include <expected>
#include <string>

#include "parser/ip/global_options.h"
#include "parser/names.h"

namespace nlsh {

struct BatchCall {
    Tool tool;
    const char* program;  // argv[0]
    Words words;          // those after it
    const Invocation& invocation;
    const NameTables& names;
};

struct BatchResult {
    int status = 0;
    std::string fallback;  // from some line on, for this reason; empty: all was native
};

// Runs the lines one after the other, and from the first one that isn't native on the real binary,
// in a child process. Decline: nothing has been run or read.
std::expected<BatchResult, Decline> run_batch(const BatchCall& call);

}  // namespace nlsh
