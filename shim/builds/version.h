#pragma once

#include <string>

namespace nlsh {

// Of this build: "0.1.0".
const char* own_version();
// Of the iproute2 that is installed here, whose output it gives: "6.1.0". "unknown": its build is
// none that it imitates.
std::string imitated_version();

}  // namespace nlsh
