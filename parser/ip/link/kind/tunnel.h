// Readers that VXLAN and Geneve share.
#pragma once

#include "parser/ip/link/kind/option.h"

namespace nlsh {

// An address: the attribute is IPv4's, the parameter IPv6's.
Parsed<void> read_unicast(OptionScope&, const LinkOption&, Arguments&);
Parsed<void> read_multicast(OptionScope&, const LinkOption&, Arguments&);
// 24 bits; said twice it is refused.
Parsed<void> read_vni(OptionScope&, const LinkOption&, Arguments&);
// 0 to 255, or auto (0). `inherit` is the parameter's attribute: a flag in VXLAN, a byte in Geneve.
Parsed<void> read_ttl_or_flag(OptionScope&, const LinkOption&, Arguments&);
Parsed<void> read_ttl_or_byte(OptionScope&, const LinkOption&, Arguments&);
Parsed<void> read_tos(OptionScope&, const LinkOption&, Arguments&);       // a DS field, or inherit
Parsed<void> read_fragment(OptionScope&, const LinkOption&, Arguments&);  // unset | set | inherit
Parsed<void> read_flow_label(OptionScope&, const LinkOption&, Arguments&);  // 20 bits
// u32, or this word for 0.
Parsed<void> read_u32_or_none(OptionScope&, const LinkOption&, Arguments&);
Parsed<void> read_u32_or_unlimited(OptionScope&, const LinkOption&, Arguments&);

}  // namespace nlsh
