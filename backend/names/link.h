// One link, asked for by its index.
#pragma once

#include <cstdint>

#include "backend/net/channel.h"

namespace nlsh {

// RTM_GETLINK; `extensions` is IFLA_EXT_MASK (RTEXT_FILTER_*). Calls receive with the answer.
Verdict ask_link(Channel& channel, uint32_t ifindex, uint32_t extensions,
                 const Channel::Receive& receive);

// Whether the device is a VRF.
bool is_vrf(Channel& channel, uint32_t ifindex);

}  // namespace nlsh
