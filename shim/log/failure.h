// The log message for a line of which a command failed.
#pragma once

#include <string>
#include <string_view>

#include "backend/shell/evaluate.h"

namespace nlsh {

// Whether one did: a grep that finds nothing and a test that says no are a shell's conditions.
bool has_failed(const Evaluation& evaluation);
// "a chain failed with status 2: command 2 of 3, `ip link add …`, status 2, EEXIST, "RTNETLINK
// answers: File exists"; line: …".
std::string failure_text(std::string_view line, int commands, const Evaluation& evaluation);

}  // namespace nlsh
