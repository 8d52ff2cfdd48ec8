// `inet …` of `ip link set`.
#pragma once

#include "backend/objects/link/words/row.h"

namespace nlsh {

Parsed<void> read_inet(OptionScope&, const LinkRow&, Arguments&);

}  // namespace nlsh
