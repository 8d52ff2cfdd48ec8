// Shared by VXLAN and GENEVE.
#pragma once

#include "backend/objects/link/kinds/codec.h"

namespace nlsh {

// Reads an address: the row's attribute is for IPv4, its parameter for IPv6. `family`: the family
// that an earlier address requires; AF_UNSPEC: any.
Parsed<void> read_udp_endpoint(OptionScope&, const LinkRow&, Arguments&, bool multicast,
                               uint8_t family);
// 24 bits. A second VNI is refused.
Parsed<void> read_vni(OptionScope&, const LinkRow&, Arguments&);
// 0 to 255, or auto (0). For `inherit` these bytes go to the parameter's attribute.
Parsed<void> read_udp_ttl(OptionScope&, const LinkRow&, Arguments&, std::string inherit);
Parsed<void> read_tos(OptionScope&, const LinkRow&, Arguments&);         // a DS field, or inherit
Parsed<void> read_fragment(OptionScope&, const LinkRow&, Arguments&);    // unset | set | inherit
Parsed<void> read_flow_label(OptionScope&, const LinkRow&, Arguments&);  // 20 bits

// `ttl inherit` in text; no field in JSON.
void print_ttl_inherit(const KindOutput&, const LinkRow&, Attribute);
// `ttl N` or `ttl auto`. Hidden if the parameter's attribute is present.
void print_ttl(const KindOutput&, const LinkRow&, Attribute);
// `tos 0x4` or `tos inherit`; nothing if 0.
void print_tos(const KindOutput&, const LinkRow&, Attribute);
// `df set`, `df inherit`; in text nothing when unset.
void print_df(const KindOutput&, const LinkRow&, Attribute);
// A flow label in network order, printed in hex; nothing if 0.
void print_flow_label(const KindOutput&, const LinkRow&, Attribute);

inline constexpr Codec vni{read_vni, print_number};
inline constexpr Codec tos{read_tos, print_tos};
inline constexpr Codec fragment{read_fragment, print_df};
inline constexpr Codec flow_label{read_flow_label, print_flow_label};
inline constexpr Codec negatable{set_u8, print_negatable};

}  // namespace nlsh
