// `nlsh run [--] PROGRAM ARGS…`: a program under the preload with a server of its own.
#pragma once

#include <string>
#include <vector>

namespace nlsh {

// Returns the program's exit status, 128+N when signal N ended it, 127 when it can't be started.
// The server lives as long as the program.
int run_program(const std::vector<std::string>& words);

}  // namespace nlsh
