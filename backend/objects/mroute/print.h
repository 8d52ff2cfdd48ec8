// One route of multicast packets, for `ip mroute show` and for monitors.
#pragma once

#include <linux/rtnetlink.h>

#include "backend/context.h"
#include "backend/names/devices.h"
#include "backend/net/attributes.h"
#include "backend/render/printer.h"

namespace nlsh {

// `tables`: they are of several tables, whose names are told. A show falls back for what it can't
// print exactly.
void print_multicast_route(Context& context, Printer& printer, DeviceNames& names,
                           const rtmsg& header, const Attributes<RTA_MAX>& route, bool tables);

}  // namespace nlsh
