// Reads the environment variables that decide how a line is parsed (NLSH_VARIABLES of
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

// From this process's variables, for commands in process. any_file: commands may write to any file.
CallerEnvironment own_environment(bool any_file);
// The same for ip or bridge by its path: without a shell, PATH and the shell's variables don't
// matter.
CallerEnvironment own_environment_of_command();
// This process's variables as a request carries them: NAME=VALUE, each with its NUL.
std::string own_variables();

}  // namespace nlsh
