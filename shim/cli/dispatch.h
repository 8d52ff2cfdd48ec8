// The `nlsh` program: its commands, and the ip and bridge personalities.
#pragma once

#include <optional>

namespace nlsh {

// The ways in whose start-up time counts, `ip …`, `bridge …` and `nlsh -c LINE`: they read no
// options. nullopt: another way in.
std::optional<int> quick_main(int argc, char** argv);

// Returns the process's exit status.
int nlsh_main(int argc, char** argv);

}  // namespace nlsh
