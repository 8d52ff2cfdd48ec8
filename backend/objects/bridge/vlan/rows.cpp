#include "backend/objects/bridge/vlan/rows.h"

#include <fmt/format.h>
#include <linux/if_bridge.h>

namespace nlsh {

void VlanRows::open_row(std::string_view port) {
    if (!open_) {
        printer_.open_object();
        printer_.paint(Color::ifname);
        printer_.string("ifname", "", port, "");
        if (port.size() < 16) printer_.text(std::string(16 - port.size(), ' '));
        printer_.text("  ");
        printer_.unpaint(Color::ifname);
        printer_.open_array(key_);
        open_ = true;
    } else {
        printer_.text("                  ");
    }
    printer_.open_object();
}

void VlanRows::close_port() {
    if (!open_) return;
    printer_.close_array();
    printer_.close_object();
    open_ = false;
}

void VlanRows::range(std::string_view key, std::string_view end_key, uint32_t first, uint32_t last,
                     size_t width) {
    const bool single = first == last;
    printer_.json_number(key, first);
    if (!single) printer_.json_number(end_key, last);
    if (printer_.json()) return;
    const std::string text = single ? fmt::format("{}", first) : fmt::format("{}-{}", first, last);
    printer_.text(fmt::format("{:<{}}", text, width));
}

void print_vlan_flags(Printer& printer, uint16_t flags) {
    if (flags == 0) return;
    printer.open_array("flags");
    if ((flags & BRIDGE_VLAN_INFO_PVID) != 0) printer.string("", " ", "PVID", "");
    if ((flags & BRIDGE_VLAN_INFO_UNTAGGED) != 0) printer.string("", " ", "Egress Untagged", "");
    printer.close_array();
}

void print_vlan_counters(Printer& printer, uint64_t rx_bytes, uint64_t rx_packets,
                         uint64_t tx_bytes, uint64_t tx_packets) {
    // These lines end in a newline even with -o.
    printer.number("rx_bytes", "                    RX: ", rx_bytes, " bytes ");
    printer.number("rx_packets", "", rx_packets, " packets\n");
    printer.number("tx_bytes", "                    TX: ", tx_bytes, " bytes ");
    printer.number("tx_packets", "", tx_packets, " packets\n");
}

}  // namespace nlsh
