// The flags of a route or a nexthop: RTNH_F_* and RTM_F_*.
#pragma once

#include <cstdint>

#include "backend/context.h"
#include "backend/render/printer.h"

namespace nlsh {

// Prints the flags' words, in JSON as the array "flags".
void print_route_flags(Context& context, Printer& printer, uint32_t flags);

}  // namespace nlsh
