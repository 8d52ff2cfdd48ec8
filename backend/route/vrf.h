// The routing tables of VRFs.
#pragma once

#include <cstdint>
#include <string_view>

#include "backend/context.h"
#include "backend/names/devices.h"

namespace nlsh {

// The routing table of a vrf; 0 when there is no vrf of that name.
uint32_t find_vrf_table(Channel& channel, std::string_view name);
// What is said of a wrong vrf, and its exit status.
int invalid_vrf(Context& context, std::string_view name);

}  // namespace nlsh
