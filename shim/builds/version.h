#pragma once

#include <string>

namespace nlsh {

// nlsh's version, such as "0.1.0".
const char* own_version();
// The version of the installed iproute2, which nlsh imitates, such as "6.1.0"; "unknown": its build
// isn't imitated.
std::string imitated_version();

}  // namespace nlsh
