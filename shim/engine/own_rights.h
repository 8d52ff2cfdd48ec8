// Would the real tools, exec'd by this thread, be let through and have the thread's own rights?
#pragma once

#include "parser/ip/options.h"

namespace nlsh {

// nullptr when they would, else the reason. Of a tool whose file is at that path.
const char* own_rights_refusal(Tool tool, const char* path);
// A seccomp filter is on the calling thread.
bool is_filtered();
// The same of lines, which a shell would read: they may run both tools. What keeps the thread from
// an exec (a filter, Landlock) is found out once; more of the same isn't noticed later.
const char* own_rights_refusal_of_lines();
// A process that has few descriptors left is short of what a program's libraries need.
const char* own_limits_refusal();

}  // namespace nlsh
