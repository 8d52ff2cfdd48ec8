// Ports of bridges, as bridge link show prints them.
#pragma once

#include <linux/rtnetlink.h>

#include <cstdint>
#include <span>
#include <string>

#include "backend/context.h"
#include "backend/names/devices.h"
#include "backend/net/attributes.h"
#include "backend/render/printer.h"
#include "parser/ip/kinds.h"

namespace nlsh {

// A port's attributes in the order of bridge(8): backend/objects/link/kinds/bridge_port.cpp.
extern const std::span<const BridgePortRow* const> bridge_port_order;

// An STP state: "forwarding"; "(N)" for a number without a name.
std::string port_state_name(uint8_t state);

// lower_down: the device below (IFLA_LINK) is known and isn't up.
void print_port(Context& context, Printer& printer, DeviceNames& names, const ifinfomsg& header,
                const Attributes<IFLA_MAX>& attributes, bool lower_down);

}  // namespace nlsh
