#include "backend/link/kinds/field.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <linux/if_ether.h>
#include <sys/socket.h>

#include "backend/render/format.h"

namespace nlsh {
namespace {

std::string before(const Field& field) {
    return field.label.empty() ? std::string() : fmt::format("{} ", field.label);
}

void print_text(const KindOutput& output, const Field& field, std::string_view value) {
    output.printer.string(field.key, before(field), value, " ");
}

}  // namespace

void print_fields(const KindOutput& output, std::span<const Field> fields) {
    for (const Field& field : fields) {
        if (const Attribute value = output.attributes[field.attribute]) {
            field.print(output, field, value);
        }
    }
}

void print_number(const KindOutput& output, const Field& field, Attribute value) {
    output.printer.number(field.key, before(field), value.u64(), " ");
}

void print_signed(const KindOutput& output, const Field& field, Attribute value) {
    output.printer.signed_number(field.key, before(field), value.as<int32_t>(), " ");
}

void print_number_if_set(const KindOutput& output, const Field& field, Attribute value) {
    if (value.u64() != 0) print_number(output, field, value);
}

void print_on_off(const KindOutput& output, const Field& field, Attribute value) {
    output.printer.on_off(field.key, before(field), value.u8() != 0, " ");
}

void print_hex(const KindOutput& output, const Field& field, Attribute value) {
    print_text(output, field, fmt::format("{:#x}", value.u64()));
}

void print_hex_mask(const KindOutput& output, const Field& field, Attribute value) {
    print_text(output, field, value.u64() == 0 ? "0" : fmt::format("{:#x}", value.u64()));
}

void print_network_port(const KindOutput& output, const Field& field, Attribute value) {
    output.printer.number(field.key, before(field), ntohs(value.u16()), " ");
}

void print_word(const KindOutput& output, const Field& field, Attribute value) {
    const uint64_t number = value.u64();
    if (number >= field.words.size()) {
        output.context.hand_over(fmt::format("unknown {} of a link", field.key));
        return;
    }
    print_text(output, field, field.words[number]);
}

void print_hardware_address(const KindOutput& output, const Field& field, Attribute value) {
    print_text(output, field, format_hex_bytes(value.bytes()));
}

void print_device(const KindOutput& output, const Field& field, Attribute value) {
    print_text(output, field, output.names.name(value.u32()));
}

void print_inet(const KindOutput& output, const Field& field, Attribute value) {
    const uint8_t family = value.size() == 4 ? AF_INET : AF_INET6;
    print_text(output, field, format_address(family, value.bytes()));
}

void print_vlan_protocol(const KindOutput& output, const Field& field, Attribute value) {
    const uint16_t protocol = ntohs(value.u16());
    if (output.printer.options().numeric) {
        print_text(output, field, fmt::format("[{}]", protocol));
    } else if (protocol == ETH_P_8021Q || protocol == ETH_P_8021AD) {
        print_text(output, field, protocol == ETH_P_8021Q ? "802.1Q" : "802.1ad");
    } else {
        output.context.hand_over("unknown VLAN protocol");
    }
}

void print_flag(const KindOutput& output, const Field& field, Attribute value) {
    if (value.u8() != 0) print_presence(output, field, value);
}

void print_presence(const KindOutput& output, const Field& field, Attribute) {
    output.printer.boolean(field.key, fmt::format("{} ", field.label));
}

void print_negatable(const KindOutput& output, const Field& field, Attribute value) {
    const bool set = value.u8() != 0;
    output.printer.boolean(field.key, fmt::format("{}{} ", set ? "" : "no", field.label), set);
}

}  // namespace nlsh
