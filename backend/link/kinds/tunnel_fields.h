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

void print_device_if_set(const KindOutput& output, const Field& field, Attribute value);

// What tunnels over IP have.
// An address, or any.
void print_endpoint(const KindOutput& output, const Field& field, Attribute value);
// `LABEL N` or `LABEL inherit`; in JSON 0 for the latter.
void print_tunnel_ttl(const KindOutput& output, const Field& field, Attribute value);
void print_hex_if_set(const KindOutput& output, const Field& field, Attribute value);
void print_inet_if_set(const KindOutput& output, const Field& field, Attribute value);
// UDP encapsulation: the attribute of its type, after which those of flags and ports are numbered.
void print_encapsulation(const KindOutput& output, const Field& field, Attribute value);

// Traffic class, flow label and encapsulation limit, which bits of the attribute Flags replace.
void print_traffic_class(const KindOutput& output, uint32_t flags, Attribute value);
void print_tunnel_flow_label(const KindOutput& output, uint32_t flags, Attribute value);
void print_encap_limit(const KindOutput& output, uint32_t flags, Attribute value);
template <auto Print, uint16_t Flags>
void print_by_flags(const KindOutput& output, const Field&, Attribute value) {
    Print(output, output.attributes[Flags].u32(), value);
}
// `label` when a bit of a flags attribute of 16 or 32 bits is set.
template <uint32_t Bit>
void print_if_flag(const KindOutput& output, const Field& field, Attribute value) {
    if ((value.u32() & Bit) != 0) print_presence(output, field, value);
}

}  // namespace nlsh
