// Would an ip that this process execs have the rights that the process has?
#pragma once

namespace nlsh {

// nullptr when it would, and when nothing keeps it from what the process may do; else the reason.
const char* own_rights_refusal();
// The same of its limits, which it changes more lightly.
const char* own_limits_refusal();

}  // namespace nlsh
