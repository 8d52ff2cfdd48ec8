// Fields that the kinds of tunnels share.
#pragma once

#include "backend/link/kinds/field.h"

namespace nlsh {

// `ttl inherit` in text; nothing in JSON.
void print_ttl_inherit(const KindOutput& output, const Field& field, Attribute value);
// `ttl N` or `ttl auto`. The inherit attribute of a kind hides it.
template <uint16_t Inherit>
void print_ttl(const KindOutput& output, const Field& field, Attribute value) {
    if (output.attributes[Inherit].u8() != 0) return;
    if (value.u8() == 0) output.printer.text("ttl auto ");
    if (value.u8() == 0) output.printer.json_number(field.key, 0);
    if (value.u8() != 0) print_number(output, field, value);
}
// `tos 0x4` or `tos inherit`; nothing when 0.
void print_tos(const KindOutput& output, const Field& field, Attribute value);
// `df set`, `df inherit`; in text nothing when unset.
void print_df(const KindOutput& output, const Field& field, Attribute value);
// A flow label in network order, in hex; nothing when 0.
void print_flow_label(const KindOutput& output, const Field& field, Attribute value);

}  // namespace nlsh
