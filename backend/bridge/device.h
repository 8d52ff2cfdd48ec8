// Devices of a bridge command, by name.
#pragma once

#include <cstdint>
#include <expected>
#include <string_view>

#include "backend/context.h"

namespace nlsh {

// The index of a device, by name or by the name ifN, which stands for the index N (facts, 1.10).
// 0 when there is none.
uint32_t find_device(Channel& channel, std::string_view name);

// `Cannot find bridge device "x"`; the exit status.
int cannot_find_bridge_device(Context& context, std::string_view name);

// A failed dump of a show: its messages; the exit status.
int dump_terminated(Context& context, const Verdict& verdict);

}  // namespace nlsh
