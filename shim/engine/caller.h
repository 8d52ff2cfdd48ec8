// What of an environment decides how a command line is read: the variables of shim/wire/wire.h's
// list.
#pragma once

#include <span>
#include <string_view>

#include "shim/engine/engine.h"

namespace nlsh {

// $COLORFGBG ends in a semicolon and one digit, of a dark colour: "15;0", "default;default;0".
bool is_dark_background(std::string_view value);
// From a request's variables, each NAME=VALUE.
CallerEnvironment caller_environment(std::span<const std::string_view> variables);

// This process's own, for commands that run in process. any_file: they may write to any.
CallerEnvironment own_environment(bool any_file);
// The same for an ip or bridge by its path, without a shell: its variables are no matter, nor is
// PATH.
CallerEnvironment own_environment_of_command();
// The same for a server: a request's variables, each NAME=VALUE with its NUL.
std::string own_variables();

}  // namespace nlsh
