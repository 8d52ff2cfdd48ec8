// What `ip -d link show` tells of a link's kind, as tables of fields.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "backend/context.h"
#include "backend/names/devices.h"
#include "backend/net/attributes.h"
#include "backend/render/printer.h"

namespace nlsh {

using KindAttributes = Attributes<64>;

// What a field's printer works with.
struct KindOutput {
    Printer& printer;
    DeviceNames& names;
    Context& context;
    const KindAttributes& attributes;  // IFLA_INFO_DATA or IFLA_INFO_SLAVE_DATA
};

struct Field;
using PrintField = void (*)(const KindOutput& output, const Field& field, Attribute value);

// One item: printed when its attribute was sent. Text is `LABEL VALUE␠`.
struct Field {
    uint16_t attribute;
    PrintField print;
    std::string_view key;                          // in JSON
    std::string_view label;                        // in text
    std::span<const std::string_view> words = {};  // names of the values 0, 1, 2 …
};

void print_fields(const KindOutput& output, std::span<const Field> fields);

// Printers of common forms.
void print_number(const KindOutput& output, const Field& field, Attribute value);
void print_signed(const KindOutput& output, const Field& field, Attribute value);  // 32 bits
void print_number_if_set(const KindOutput& output, const Field& field, Attribute value);
void print_on_off(const KindOutput& output, const Field& field, Attribute value);
void print_hex(const KindOutput& output, const Field& field, Attribute value);       // 0x2a, 0x0
void print_hex_mask(const KindOutput& output, const Field& field, Attribute value);  // C's %#x: 0
void print_network_port(const KindOutput& output, const Field& field, Attribute value);
void print_word(const KindOutput& output, const Field& field, Attribute value);
void print_hardware_address(const KindOutput& output, const Field& field, Attribute value);
void print_device(const KindOutput& output, const Field& field, Attribute value);
void print_inet(const KindOutput& output, const Field& field, Attribute value);  // 4 or 16 bytes
void print_vlan_protocol(const KindOutput& output, const Field& field, Attribute value);
// The label alone when the value isn't 0; JSON true.
void print_flag(const KindOutput& output, const Field& field, Attribute value);
// The same for an attribute without a value.
void print_presence(const KindOutput& output, const Field& field, Attribute value);
// `label` or `nolabel`; JSON true or false.
void print_negatable(const KindOutput& output, const Field& field, Attribute value);

// A kind of link (or of a master's slave), and whether it has options at all.
struct Kind {
    std::string_view name;
    std::span<const Field> fields = {};
    bool has_data = true;
};
// Null: not one that we print.
const Kind* find_kind(std::string_view name);
const Kind* find_slave_kind(std::string_view name);

// The tables, each in its file.
extern const std::span<const Field> bridge_fields;
extern const std::span<const Field> bridge_slave_fields;
extern const std::span<const Field> vlan_fields;
extern const std::span<const Field> bond_fields;
extern const std::span<const Field> bond_slave_fields;
extern const std::span<const Field> macvlan_fields;
extern const std::span<const Field> ipvlan_fields;
extern const std::span<const Field> vxlan_fields;
extern const std::span<const Field> geneve_fields;
extern const std::span<const Field> tun_fields;
extern const std::span<const Field> gre_fields, gre6_fields;
extern const std::span<const Field> iptun_fields, ip6tnl_fields, vti_fields;
extern const std::span<const Field> macsec_fields;

}  // namespace nlsh
