// `ip -batch FILE` and `bridge -batch FILE` in process.
#pragma once

#include <expected>
#include <optional>
#include <string>

#include "parser/ip/global_options.h"
#include "parser/names.h"
#include "shim/batch/source.h"

namespace nlsh {

struct BatchCall {
    Tool tool;
    const char* program;  // argv[0]
    Words words;          // without argv[0]
    const Invocation& invocation;
    const NameTables& names;
};

struct BatchResult {
    int status = 0;
    std::string fallback;  // why the real binary ran the rest; empty: all was native
};

// Runs the lines in order; the real binary, in a child, from the first that isn't native on. input:
// the text of standard input, if known. Decline: nothing has been run or read.
std::expected<BatchResult, Decline> run_batch(const BatchCall& call,
                                              std::optional<BatchSource> input = {});

}  // namespace nlsh
