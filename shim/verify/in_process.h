// NLSH_VERIFY for `nlsh -c` and files of lines.
#pragma once

#include <optional>
#include <string_view>

#include "shim/engine/engine.h"

namespace nlsh {

// Runs a read-only line both ways, writes what the real one gave to stdout and stderr, and its
// differences to $NLSH_VERIFY_LOG, else to the system's log. The exit status as a shell gives it.
// Nothing: it wasn't run.
std::optional<int> verify_line(std::string_view line, const Prepared& prepared, Session& session,
                               Files& files);

}  // namespace nlsh
