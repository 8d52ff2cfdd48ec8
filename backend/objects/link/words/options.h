// The options of links of any kind, in `ip link add`, in `set`, and for a veth's peer.
#pragma once

#include "backend/objects/link/words/row.h"

namespace nlsh {

// By IN6_ADDR_GEN_MODE_*.
inline constexpr std::string_view address_modes[] = {"eui64", "none", "stable_secret", "random"};

// Reads options and the device's name up to `type` (left to the caller) or the end.
Parsed<void> read_link_options(OptionScope& scope, Arguments& arguments);
// A group of more than 32 bits: iproute2 drops the upper ones. nullopt: the word isn't one.
std::optional<uint32_t> truncated_group(std::string_view word);
// The name of a new link, which may stand with or without `name` or `dev`.
Parsed<std::string> new_link_name(const OptionScope& scope, Arguments arguments);

}  // namespace nlsh
