// The VNIs of a VXLAN device as `bridge vni` and `bridge monitor` print them.
#pragma once

#include <string_view>

#include "backend/context.h"
#include "backend/net/attributes.h"
#include "backend/render/printer.h"

namespace nlsh {

// entries: the attributes of an RTM_NEWTUNNEL.
void print_vnis(Context& context, Printer& printer, std::string_view device, Bytes entries);

}  // namespace nlsh
