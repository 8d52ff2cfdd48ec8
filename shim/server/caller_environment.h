// The variables of a request -> what the engine has to know of them.
#pragma once

#include <span>
#include <string_view>

#include "shim/engine/engine.h"

namespace nlsh {

CallerEnvironment caller_environment(std::span<const std::string_view> variables,
                                     std::string_view command);

}  // namespace nlsh
