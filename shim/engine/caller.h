// Reads the variables of an environment that decide how a line is read (NLSH_VARIABLES of
// shim/wire/wire.h).
#pragma once

#include <span>
#include <string_view>

#include "shim/engine/engine.h"

namespace nlsh {

// Whether $COLORFGBG ends in a semicolon and one digit of a dark colour: "15;0",
// "default;default;0".
bool is_dark_background(std::string_view value);
// From a request's variables, NAME=VALUE each.
CallerEnvironment caller_environment(std::span<const std::string_view> variables);

// This process's, for commands in process. any_file: they may write to any file.
CallerEnvironment own_environment(bool any_file);
// The same for an ip or bridge by its path, without a shell, whose variables and PATH don't matter.
CallerEnvironment own_environment_of_command();
// The same for a server: a request's variables, NAME=VALUE each with its NUL.
std::string own_variables();

}  // namespace nlsh
