// The options of any link, whatever its kind: of `ip link add`, `set`, and of a veth's peer.
#pragma once

#include "parser/ip/kind/option.h"

namespace nlsh {

// Reads options and the device's name up to `type` (left to the caller) or the end.
Parsed<void> read_link_options(OptionScope& scope, Arguments& arguments);
// The name of a new link, which may stand with or without `name` or `dev`.
Parsed<std::string> new_link_name(const LinkHead& head);

}  // namespace nlsh
