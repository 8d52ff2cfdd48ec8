#include "backend/objects/link/kinds/codec.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <linux/if_ether.h>
#include <linux/if_link.h>
#include <sys/socket.h>

#include "backend/render/format.h"

namespace nlsh {
std::string before(const LinkRow& row) {
    const std::string_view label = row.text_label();
    return label.empty() ? std::string() : with_blank(label);
}

namespace {

// An attribute without a value is present only if it is set.
bool is_set(Attribute value) {
    return value.size() == 0 || value.u8() != 0;
}

}  // namespace

void print_rows(const KindOutput& output, std::span<const LinkRow> rows) {
    const Options& options = output.printer.options();
    const Traits& traits = options.traits;
    for (const LinkRow& row : rows) {
        if (row.codec.print == nullptr) continue;
        const Attribute value = output.attributes[row.attribute];
        const auto counts = value ? traits.counts(row.since, row.until) : Traits::Answer::no;
        if (counts == Traits::Answer::yes) row.codec.print(output, row, value);
        if (counts == Traits::Answer::yes && row.set_since != Trait::always && is_set(value))
            output.context.needs(options, row.set_since);
        if (counts == Traits::Answer::unknown) output.context.fall_back("item of other versions");
    }
}

void print_text(const KindOutput& output, const LinkRow& row, std::string_view value) {
    output.printer.string(row.json_key(), before(row), value, " ");
}

void print_number(const KindOutput& output, const LinkRow& row, Attribute value) {
    output.printer.number(row.json_key(), before(row), value.u64(), " ");
}

void print_signed(const KindOutput& output, const LinkRow& row, Attribute value) {
    output.printer.signed_number(row.json_key(), before(row), value.as<int32_t>(), " ");
}

void print_number_if_set(const KindOutput& output, const LinkRow& row, Attribute value) {
    if (value.u64() != 0) print_number(output, row, value);
}

void print_on_off(const KindOutput& output, const LinkRow& row, Attribute value) {
    output.printer.on_off(row.json_key(), before(row), value.u8() != 0, " ");
}

void print_hex(const KindOutput& output, const LinkRow& row, Attribute value) {
    print_text(output, row, fmt::format("{:#x}", value.u64()));
}

void print_hex_mask(const KindOutput& output, const LinkRow& row, Attribute value) {
    print_text(output, row, value.u64() == 0 ? "0" : fmt::format("{:#x}", value.u64()));
}

void print_network_port(const KindOutput& output, const LinkRow& row, Attribute value) {
    output.printer.number(row.json_key(), before(row), ntohs(value.u16()), " ");
}

void print_word(const KindOutput& output, const LinkRow& row, Attribute value) {
    const uint64_t number = value.u64();
    if (number >= row.names.size()) {
        output.context.fall_back(fmt::format("unknown {} of a link", row.json_key()));
        return;
    }
    print_text(output, row, row.names[static_cast<size_t>(number)]);
}

void print_hardware_address(const KindOutput& output, const LinkRow& row, Attribute value) {
    print_text(output, row, format_hex_bytes(value.bytes()));
}

void print_device(const KindOutput& output, const LinkRow& row, Attribute value) {
    print_text(output, row, output.names.name(value.u32()));
}

void print_device_if_set(const KindOutput& output, const LinkRow& row, Attribute value) {
    if (value.u32() != 0) print_device(output, row, value);
}

void print_inet(const KindOutput& output, const LinkRow& row, Attribute value) {
    const uint8_t family = value.size() == 4 ? AF_INET : AF_INET6;
    print_text(output, row, format_address(family, value.bytes()));
}

void print_vlan_protocol(const KindOutput& output, const LinkRow& row, Attribute value) {
    const uint16_t protocol = ntohs(value.u16());
    if (output.printer.options().numeric) {
        print_text(output, row, fmt::format("[{}]", protocol));
    } else if (protocol == ETH_P_8021Q || protocol == ETH_P_8021AD) {
        print_text(output, row, protocol == ETH_P_8021Q ? "802.1Q" : "802.1ad");
    } else {
        output.context.fall_back("unknown VLAN protocol");
    }
}

void print_timer(const KindOutput& output, const LinkRow& row, Attribute value) {
    const uint64_t time = value.u64();
    const uint64_t seconds = time / 100;
    const uint64_t rest = time % 100;
    if (output.printer.json()) {
        output.printer.json_literal(row.json_key(), fmt::format("{}.{:02}", seconds, rest));
    } else {
        output.printer.text(fmt::format("{} {:4}.{:02} ", row.text_label(), seconds, rest));
    }
}

void print_bridge_id(const KindOutput& output, const LinkRow& row, Attribute value) {
    const Bytes bytes = value.bytes();
    if (bytes.size() < sizeof(ifla_bridge_id)) return print_text(output, row, {});
    std::string text = fmt::format("{:02x}{:02x}.", bytes[0], bytes[1]);
    for (size_t i = 2; i < sizeof(ifla_bridge_id); ++i) {
        text += fmt::format("{}{:x}", i == 2 ? "" : ":", bytes[i]);
    }
    print_text(output, row, text);
}

void print_flag(const KindOutput& output, const LinkRow& row, Attribute value) {
    if (value.u8() != 0) print_presence(output, row, value);
}

void print_unseen(const KindOutput& output, const LinkRow& row, Attribute) {
    output.context.fall_back(fmt::format("{} of a link", row.json_key()));
}

void print_presence(const KindOutput& output, const LinkRow& row, Attribute) {
    output.printer.boolean(row.json_key(), with_blank(row.text_label()));
}

void print_negatable(const KindOutput& output, const LinkRow& row, Attribute value) {
    const bool set = value.u8() != 0;
    output.printer.boolean(row.json_key(), fmt::format("{}{} ", set ? "" : "no", row.text_label()),
                           set);
}

}  // namespace nlsh
