// What of an environment decides how a command line is read.
#pragma once

#include <span>
#include <string_view>

#include "shim/engine/engine.h"

namespace nlsh {

// Variables that change what ip, bridge, the shell or a filter does, beyond what is imitated: a
// line of a caller that has one set is handed over.
std::span<const std::string_view> unsupported_variables();

// This process's own environment, for commands that run in process.
CallerEnvironment own_environment();

}  // namespace nlsh
