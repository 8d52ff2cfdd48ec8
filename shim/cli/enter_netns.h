// -netns NAME of ip and bridge.
#pragma once

#include <string>

#include "parser/decline.h"

namespace nlsh {

// Moves this thread to a network namespace under /run/netns; "" is the one it is in. Declines what
// the real one makes more of: an error, or files of /etc/netns/NAME.
Parsed<void> enter_netns(const std::string& name);

}  // namespace nlsh
