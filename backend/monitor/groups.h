// What each kind of message that a monitor listens to is, as rtnetlink knows it.
#pragma once

#include <cstdint>
#include <vector>

namespace nlsh {

// RTNLGRP_* of these MonitorObjects; those of one family when one is asked for (AF_*).
std::vector<uint32_t> monitor_groups(uint16_t objects, uint8_t family);

}  // namespace nlsh
