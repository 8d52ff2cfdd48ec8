// Whether the real tools, exec'd by this thread, would start and have the thread's own rights.
#pragma once

#include <cstdint>

#include "parser/ip/options.h"
#include "shim/rights/exec_rights.h"

namespace nlsh {

// nullptr: they would; otherwise the reason. For a tool whose file is at that path.
const char* own_rights_refusal(Tool tool, const char* path);
// Whether a seccomp filter is on the calling thread.
bool is_filtered();
// The same for lines, which a shell would read: they may run both tools. Probes a filter or
// Landlock once; later ones aren't noticed. looked_at: see own_exec_rights().
const char* own_rights_refusal_of_lines(uint64_t looked_at = EXEC_EVERY_CAPABILITY);
// With few descriptors left a program's libraries would fail.
const char* own_limits_refusal();

}  // namespace nlsh
