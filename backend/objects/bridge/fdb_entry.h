// One entry of a forwarding database, as bridge fdb show and get print it.
#pragma once

#include <linux/neighbour.h>

#include "backend/context.h"
#include "backend/names/devices.h"
#include "backend/net/attributes.h"
#include "backend/render/printer.h"

namespace nlsh {

// Prints the entry of an RTM_NEWNEIGH message. `with_device`: false when a filter names the device.
void print_fdb_entry(Context& context, Printer& printer, DeviceNames& names, const ndmsg& header,
                     const Attributes<NDA_MAX>& attributes, bool with_device);

}  // namespace nlsh
