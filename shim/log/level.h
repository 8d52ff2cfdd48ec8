// How much a message matters.
#pragma once

#include <cstdint>

namespace nlsh {

// syslog(3)'s numbers.
enum class Level : int8_t { off = -1, error = 3, warning = 4, notice = 5, info = 6, debug = 7 };

}  // namespace nlsh
