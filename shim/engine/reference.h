// The real iproute2 on this machine.
#pragma once

#include <optional>
#include <string>

#include "parser/ip/options.h"

namespace nlsh {

// The path of the real ip or bridge: $NLSH_REAL_IP / $NLSH_REAL_BRIDGE, /usr/sbin, /sbin, /usr/bin,
// /bin; never nlsh itself (a shim installed in their place). Empty when there is none.
std::string reference_path(Tool tool);
// Where one would come before all others but $NLSH_REAL_…'s.
std::string preferred_reference(Tool tool);

// The binary is of a version whose output and errors we know (build_identity.h): 6.1.0. Other
// versions are left to themselves: every command is handed over.
bool reference_supported(const std::string& path);
// The version that such another binary has by its own words; empty when it has none. For reasons:
// the whole file is read.
std::string reference_version(const std::string& path);

}  // namespace nlsh
