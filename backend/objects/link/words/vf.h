// `vf N …` of `ip link set`.
#pragma once

#include "backend/objects/link/words/row.h"

namespace nlsh {

Parsed<void> read_virtual_function(OptionScope&, const LinkRow&, Arguments&);

// Whether the attribute sets a function's hardware address, which must be as long as the device's.
bool has_function_address(const LinkAttribute& attribute);

}  // namespace nlsh
