// nlsh called as `ip` or `bridge`: runs that command, natively or by the real binary.
#pragma once

#include <optional>

#include "parser/ip/options.h"

namespace nlsh {

// The tool that a program's name stands for: basename "ip" or "bridge".
std::optional<Tool> personality(const char* program);
// Runs argv (argv[0] is the tool's name). Execs the real binary if the command isn't native.
int run_personality(Tool tool, int argc, char** argv);

// Runs nlsh as the preload starts it if no server serves a call: `nlsh --for=… -c LINE` in a
// shell's place, `nlsh --for=… --exec FILE ARGV…` in the place of ip, bridge or `sh -c LINE`. If
// the line isn't native, execs the shell, or FILE with that argv. nullopt: other arguments.
std::optional<int> run_spawned(int argc, char** argv);

}  // namespace nlsh
