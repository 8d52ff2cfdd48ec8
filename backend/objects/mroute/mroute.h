// One route of multicast packets, for `ip mroute show` and for monitors.
#pragma once

#include <linux/rtnetlink.h>

#include "backend/context.h"
#include "backend/names/devices.h"
#include "backend/net/attributes.h"
#include "backend/render/printer.h"

namespace nlsh {

// `tables`: print the tables' names, because there are several. A show falls back if it can't print
// an entry exactly.
void print_multicast_route(Context& context, Printer& printer, DeviceNames& names,
                           const rtmsg& header, const Attributes<RTA_MAX>& route, bool tables);

}  // namespace nlsh
