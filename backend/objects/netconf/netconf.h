// RTM_NEWNETCONF as `ip netconf` and `ip monitor` print it.
#pragma once

#include <linux/netlink.h>

#include "backend/names/devices.h"
#include "backend/render/printer.h"

namespace nlsh {

void print_netconf(Printer& printer, DeviceNames& devices, const nlmsghdr& message);

}  // namespace nlsh
