// The verbs of `nlsh VERB …`. Each reads its own words (options.h).
#pragma once

#include <span>
#include <string_view>

#include "shim/cli/options.h"

namespace nlsh {

// In the order of the help.
std::span<const Subcommand> subcommands();

const Subcommand* find_subcommand(std::span<const Subcommand> among, std::string_view name);

}  // namespace nlsh
