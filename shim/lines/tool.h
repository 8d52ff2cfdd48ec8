// One command of ip or bridge, also a batch, in this process.
#pragma once

#include "shim/batch/batch.h"
#include "shim/builds/reference.h"

namespace nlsh {

// words: the arguments. input: the standard input of a batch, if a shell provides it. Decline:
// nothing was done, but the process may have entered the namespace of -netns, as the real tool
// will.
std::expected<BatchResult, Decline> run_tool(Tool tool, const char* program, Words words,
                                             References& references,
                                             std::optional<BatchSource> input = {});

}  // namespace nlsh
