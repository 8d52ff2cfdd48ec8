#include "backend/objects/bridge/port.h"

#include <fmt/format.h>
#include <linux/if.h>
#include <linux/if_bridge.h>

#include "backend/objects/bridge/words/values.h"
#include "backend/objects/link/kinds/codec.h"
#include "backend/objects/link/link_words.h"
#include "backend/render/format.h"
#include "backend/render/numbers.h"

namespace nlsh {
namespace {

class FlagList {
  public:
    explicit FlagList(Printer& printer) : printer_(printer) {
        printer_.open_array("flags");
        printer_.text("<");
    }
    void word(std::string_view word, bool always_comma = false) {
        printer_.string("", first_ && !always_comma ? "" : ",", word, "");
        first_ = false;
    }
    void close() {
        printer_.close_array();
        printer_.text("> ");
    }

  private:
    Printer& printer_;
    bool first_ = true;
};

void print_flags(Printer& printer, uint32_t value, bool lower_down) {
    FlagList list(printer);
    if ((value & IFF_UP) != 0 && (value & IFF_RUNNING) == 0) list.word("NO-CARRIER");
    uint32_t rest = value & ~uint32_t{IFF_RUNNING};
    for (const LinkFlag& flag : link_flags()) {
        if ((rest & flag.bit) == 0) continue;
        list.word(flag.name);
        rest &= ~flag.bit;
    }
    if (rest != 0) list.word(fmt::format("{:x}", rest));
    if (lower_down) list.word("M-DOWN", true);
    list.close();
}

constexpr bool on_first_line(PortValue value) {
    return value == PortValue::state || value == PortValue::priority || value == PortValue::cost;
}

void print_value(Printer& printer, DeviceNames& names, const BridgePortRow& row, Attribute value) {
    const std::string_view key = row.link.text_label();
    const std::string before = with_blank(key);
    switch (row.value) {
        case PortValue::none:
        case PortValue::no_device:
            break;
        case PortValue::on_off:
            printer.on_off(key, before, value.u8() != 0, " ");
            break;
        case PortValue::state:
            printer.string(key, before, port_state_name(value.u8()), " ");
            break;
        case PortValue::number_if_set:
            if (value.u32() == 0) break;
            [[fallthrough]];
        case PortValue::priority:
        case PortValue::cost:
        case PortValue::router:
        case PortValue::number:
            printer.number(key, before, value.u64(), " ");
            break;
        case PortValue::device:
            printer.string(key, before, names.name(value.u32()), " ");
            break;
    }
}

void print_port_information(Context& context, Printer& printer, DeviceNames& names,
                            Attribute nest) {
    const KindAttributes attributes(nest);
    const Traits& traits = printer.options().traits;
    const auto print = [&](bool first_line) {
        for (const BridgePortRow* row : bridge_port_order) {
            const Attribute value = attributes[row->link.attribute];
            if (!value || on_first_line(row->value) != first_line) continue;
            const auto counts = row->counts(traits);
            if (counts == Traits::Answer::yes) print_value(printer, names, *row, value);
            if (counts == Traits::Answer::unknown) context.fall_back("port of other versions");
        }
    };
    print(true);
    if (printer.options().details == 0) return;
    printer.line_break();
    printer.text("    ");
    print(false);
}

}  // namespace

std::string port_state_name(uint8_t state) {
    static_assert(BR_STATE_BLOCKING + 1 == std::size(port_states));
    return state < std::size(port_states) ? std::string(port_states[state])
                                          : fmt::format("({})", state);
}

void print_port(Context& context, Printer& printer, DeviceNames& names, const ifinfomsg& header,
                const Attributes<IFLA_MAX>& attributes, bool lower_down) {
    const auto ifindex = static_cast<uint32_t>(header.ifi_index);
    printer.open_object();
    printer.number("ifindex", "", ifindex, ": ");
    if (printer.json()) {
        if (const Attribute link = attributes[IFLA_LINK]) {
            printer.json_string("link", names.name(link.u32()));
        }
        printer.json_string("ifname", attributes[IFLA_IFNAME].string());
    } else {
        printer.paint(Color::ifname);
        printer.text(attributes[IFLA_IFNAME].string());
        if (const Attribute link = attributes[IFLA_LINK]) {
            const bool elsewhere = static_cast<bool>(attributes[IFLA_LINK_NETNSID]);
            printer.text("@" + lower_name(names, link.u32(), elsewhere));
        }
        printer.text(": ");
        printer.unpaint(Color::ifname);
    }
    print_flags(printer, header.ifi_flags, lower_down);
    print_number(printer, attributes[IFLA_MTU], "mtu", "mtu ");
    if (const Attribute master = attributes[IFLA_MASTER])
        printer.string("master", "master ", names.name(master.u32()), " ");
    if (const Attribute port = attributes[IFLA_PROTINFO])
        print_port_information(context, printer, names, port);
    printer.text("\n");
    printer.close_object();
}

}  // namespace nlsh
