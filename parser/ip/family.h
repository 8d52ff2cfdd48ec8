// A family that is said before an address, as `via inet6 ADDRESS` has it.
#pragma once

#include <cstdint>

#include "parser/ip/arguments.h"

namespace nlsh {

// Takes `inet` or `inet6`: AF_INET or AF_INET6; `family` when neither is there. Other families are
// declined.
Parsed<uint8_t> take_family(Arguments& arguments, uint8_t family);

}  // namespace nlsh
