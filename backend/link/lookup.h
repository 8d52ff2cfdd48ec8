// Devices that a change names.
#pragma once

#include <cstdint>
#include <string_view>

#include "backend/names/devices.h"
#include "backend/net/channel.h"

namespace nlsh {

// The device of exactly this name is a VRF.
bool is_vrf(Channel& channel, uint32_t ifindex);
// The size of a link's hardware address; the kernel's error otherwise.
std::expected<size_t, Verdict> link_address_size(Channel& channel, uint32_t ifindex);

}  // namespace nlsh
