// The log message for a line that failed.
#pragma once

#include <string>
#include <string_view>

#include "backend/shell/evaluate.h"

namespace nlsh {

// "line failed with status 2: command 2 of 3, `ip link add …`, status 2, EEXIST, "RTNETLINK
// answers: File exists"; line: …". `client` is who called: "vlanmgrd[12]".
std::string failure_text(std::string_view line, int commands, const Evaluation& evaluation,
                         std::string_view client);

}  // namespace nlsh
