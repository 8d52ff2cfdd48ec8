// Whether the real tools, exec'd by this thread, would start and have the thread's own rights.
#pragma once

#include <cstdint>

#include "parser/ip/options.h"
#include "shim/rights/exec_rights.h"

namespace nlsh {

// Why the tool at `path` would not; nullptr: it would.
const char* own_rights_refusal(Tool tool, const char* path);
// Whether a seccomp filter is on the calling thread.
bool is_filtered();
// The same for a line, which needs a shell and may run both tools. Probes a filter or Landlock
// once, and doesn't notice later ones. looked_at: see own_exec_rights().
const char* own_rights_refusal_of_lines(uint64_t looked_at = EXEC_EVERY_CAPABILITY);
// Refuses a low limit of descriptors, because a program's libraries would fail under it.
const char* own_limits_refusal();

}  // namespace nlsh
