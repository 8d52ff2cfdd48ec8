// The real iproute2 on this machine.
#pragma once

#include <optional>
#include <string>

#include "parser/ip/options.h"

namespace nlsh {

// The path of the real ip or bridge: $NLSH_REAL_IP / $NLSH_REAL_BRIDGE, /usr/sbin, /sbin, /usr/bin,
// /bin; never nlsh itself (a shim installed in their place). Empty when there is none.
std::string reference_path(Tool tool);

}  // namespace nlsh
