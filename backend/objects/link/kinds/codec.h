// How the values of a kind's rows are read and printed.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "backend/context.h"
#include "backend/names/devices.h"
#include "backend/net/attributes.h"
#include "backend/objects/link/words/kind.h"
#include "backend/render/printer.h"

namespace nlsh {

using KindAttributes = Attributes<64>;

// What a row's printer needs.
struct KindOutput {
    Printer& printer;
    DeviceNames& names;
    Context& context;
    const KindAttributes& attributes;  // IFLA_INFO_DATA or IFLA_INFO_SLAVE_DATA
};

// Prints the rows whose attribute was sent. A row's text is `LABEL VALUE␠`.
void print_rows(const KindOutput& output, std::span<const LinkRow> rows);
// The text before a value: the label and a blank, or nothing.
std::string before(const LinkRow& row);

// Printers of common forms.
void print_text(const KindOutput& output, const LinkRow& row, std::string_view value);
void print_number(const KindOutput& output, const LinkRow& row, Attribute value);
void print_signed(const KindOutput& output, const LinkRow& row, Attribute value);  // 32 bits
void print_number_if_set(const KindOutput& output, const LinkRow& row, Attribute value);
void print_on_off(const KindOutput& output, const LinkRow& row, Attribute value);
void print_hex(const KindOutput& output, const LinkRow& row, Attribute value);       // 0x2a, 0x0
void print_hex_mask(const KindOutput& output, const LinkRow& row, Attribute value);  // C's %#x: 0
void print_network_port(const KindOutput& output, const LinkRow& row, Attribute value);
void print_word(const KindOutput& output, const LinkRow& row, Attribute value);
void print_hardware_address(const KindOutput& output, const LinkRow& row, Attribute value);
void print_device(const KindOutput& output, const LinkRow& row, Attribute value);
void print_device_if_set(const KindOutput& output, const LinkRow& row, Attribute value);
void print_inet(const KindOutput& output, const LinkRow& row, Attribute value);  // 4 or 16 bytes
void print_vlan_protocol(const KindOutput& output, const LinkRow& row, Attribute value);
// Hundredths of a second, as `   0.00`; in JSON a number with two places.
void print_timer(const KindOutput& output, const LinkRow& row, Attribute value);
// A bridge's priority and address, `8000.2:11:22:33:44:3`: bytes without leading zeros.
void print_bridge_id(const KindOutput& output, const LinkRow& row, Attribute value);
// The label alone if the value isn't 0; in JSON true.
void print_flag(const KindOutput& output, const LinkRow& row, Attribute value);
// The same for an attribute without a value.
void print_presence(const KindOutput& output, const LinkRow& row, Attribute value);
// `label` or `nolabel`; in JSON true or false.
void print_negatable(const KindOutput& output, const LinkRow& row, Attribute value);
// For what no available kernel sends: the output of iproute2 is unknown.
void print_unseen(const KindOutput& output, const LinkRow& row, Attribute value);
// The label if a bit of 16 or 32 is set; in JSON true.
template <uint32_t Bit>
void print_bit(const KindOutput& output, const LinkRow& row, Attribute value) {
    if ((value.u32() & Bit) != 0) print_presence(output, row, value);
}

// A collect-metadata tunnel: endpoints come with each packet. Older builds print less of it.
inline constexpr Trait external_since = Trait::words_of_5_15;

// A row that is no option.
constexpr LinkRow printed(uint16_t attribute, decltype(Codec::print) print, std::string_view label,
                          std::string_view key = {}, Trait since = Trait::always) {
    return {.attribute = attribute,
            .codec = {.print = print},
            .key = key,
            .label = label,
            .since = since};
}

inline constexpr Codec u8{read_u8, print_number};
inline constexpr Codec u16{read_u16, print_number};
inline constexpr Codec u32{read_u32, print_number};
inline constexpr Codec u64{read_u64, print_number};
inline constexpr Codec checked_u8{read_u8, print_number, invalid};
inline constexpr Codec checked_u16{read_u16, print_number, invalid};
inline constexpr Codec checked_u32{read_u32, print_number, invalid};
inline constexpr Codec checked_u64{read_u64, print_number, invalid};
inline constexpr Codec port{read_port, print_network_port};
inline constexpr Codec on_off{read_on_off, print_on_off};
inline constexpr Codec mac{read_link_address, print_hardware_address};
inline constexpr Codec device{read_device<>, print_device};
inline constexpr Codec strict_device{read_device<LinkDevice::Role::strict>, print_device_if_set};
inline constexpr Codec vlan_protocol{read_vlan_protocol, print_vlan_protocol};

}  // namespace nlsh
