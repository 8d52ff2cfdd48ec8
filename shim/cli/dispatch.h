// The `nlsh` program: its commands, and the ip and bridge personalities.
#pragma once

#include <optional>

namespace nlsh {

// Handles the calls whose start-up time counts (`ip …`, `bridge …`, `nlsh -c LINE`) without parsing
// options. nullopt: another call.
std::optional<int> quick_main(int argc, char** argv);

// Returns the process's exit status.
int nlsh_main(int argc, char** argv);

}  // namespace nlsh
