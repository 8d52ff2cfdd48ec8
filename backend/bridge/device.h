// Devices of a bridge command, by name.
#pragma once

#include <cstdint>
#include <expected>
#include <string_view>

#include "backend/context.h"
#include "backend/names/devices.h"

namespace nlsh {

// `Cannot find bridge device "x"`; the exit status.
int cannot_find_bridge_device(Context& context, const Options& options, std::string_view name);

}  // namespace nlsh
