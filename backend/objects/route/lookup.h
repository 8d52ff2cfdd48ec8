// Looks up names in a request about routes, when the command runs.
#pragma once

#include <cstdint>
#include <string_view>

#include "backend/context.h"

namespace nlsh {

// The routing table of a VRF; 0: no such VRF.
uint32_t find_vrf_table(Channel& channel, std::string_view name);
// The same, but "default" is the main table if no device has this name.
uint32_t find_route_table(Channel& channel, std::string_view vrf);
// Prints that there is no such VRF. Returns the exit status.
int invalid_vrf(Context& context, std::string_view name);

}  // namespace nlsh
