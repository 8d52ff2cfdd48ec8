// One port of a bridge, as bridge link show prints it.
#pragma once

#include <linux/rtnetlink.h>

#include <cstdint>

#include "backend/names/devices.h"
#include "backend/net/attributes.h"
#include "backend/render/printer.h"

namespace nlsh {

// lower_down: the device beneath (IFLA_LINK) is known and isn't up.
void print_port(Printer& printer, DeviceNames& names, const ifinfomsg& header,
                const Attributes<IFLA_MAX>& attributes, bool lower_down);

}  // namespace nlsh
