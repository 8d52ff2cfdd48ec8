// nlsh called as `ip` or `bridge`: runs that command, natively or by the real binary.
#pragma once

#include <optional>

#include "parser/ip/options.h"

namespace nlsh {

// The tool that a program's name stands for: basename "ip" or "bridge".
std::optional<Tool> personality(const char* program);
// Runs argv (argv[0] is the tool's name). Execs the real binary if the command isn't native.
int run_personality(Tool tool, int argc, char** argv);

}  // namespace nlsh
