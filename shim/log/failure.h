// The log message for a line with a failed command.
#pragma once

#include <string>
#include <string_view>

#include "backend/shell/evaluate.h"

namespace nlsh {

// Whether a command failed. A grep that finds nothing and a false test are conditions of the shell,
// not failures.
bool has_failed(const Evaluation& evaluation);
// "a chain failed with status 2: command 2 of 3, `ip link add …`, status 2, EEXIST, "RTNETLINK
// answers: File exists"; line: …".
std::string failure_text(std::string_view line, int commands, const Evaluation& evaluation);

}  // namespace nlsh
