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
// `inet …` and `vf N …` of `ip link set`.
Parsed<void> read_inet(OptionScope&, const LinkRow&, Arguments&);
Parsed<void> read_virtual_function(OptionScope&, const LinkRow&, Arguments&);
// Whether the attribute sets a function's hardware address, which must be as long as the device's.
bool has_function_address(const LinkAttribute& attribute);
// The name of a new link, with or without `name` or `dev` before it.
Parsed<std::string> new_link_name(const OptionScope& scope, Arguments arguments);

}  // namespace nlsh
