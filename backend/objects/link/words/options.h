// Options for links of any kind: in `ip link add` and `set`, and for a veth's peer.
#pragma once

#include "backend/objects/link/words/row.h"

namespace nlsh {

// By IN6_ADDR_GEN_MODE_*.
inline constexpr std::string_view address_modes[] = {"eui64", "none", "stable_secret", "random"};

// Reads options and the device's name, up to `type` (for the caller) or the end.
Parsed<void> read_link_options(OptionScope& scope, Arguments& arguments);
// The low 32 bits of a group number that is too large, as iproute2 takes it. nullopt: no number.
std::optional<uint32_t> truncated_group(std::string_view word);
// The name of a new link, with or without `name` or `dev` before it.
Parsed<std::string> new_link_name(const OptionScope& scope, Arguments arguments);

}  // namespace nlsh
