// NLSH_VERIFY for `nlsh -c` and files of lines.
#pragma once

#include <optional>
#include <string_view>

#include "shim/engine/engine.h"

namespace nlsh {

// Runs a read-only line both ways, writes the real tools' output to stdout and stderr, and
// differences to $NLSH_VERIFY_LOG or the system's log. Returns a shell's exit status. nullopt: the
// line hasn't run.
std::optional<int> verify_line(std::string_view line, const Prepared& prepared, Session& session,
                               Files& files);

}  // namespace nlsh
