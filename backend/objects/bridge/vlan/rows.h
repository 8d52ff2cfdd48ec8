// The two-column tables of bridge vlan: a port's name beside its first row.
#pragma once

#include <cstdint>
#include <string_view>

#include "backend/render/printer.h"

namespace nlsh {

// BRIDGE_VLAN_INFO_*. Without any bit, JSON has no array.
void print_vlan_flags(Printer& printer, uint16_t flags);
void print_vlan_counters(Printer& printer, uint64_t rx_bytes, uint64_t rx_packets,
                         uint64_t tx_bytes, uint64_t tx_packets);

class VlanRows {
  public:
    // key: the JSON array of a port's rows.
    VlanRows(Printer& printer, std::string_view header, std::string_view key)
        : printer_(printer), key_(key) {
        printer_.begin_document();
        printer_.text(header);
    }

    // Opens a row of this port, and the port with its first row. Close each row by close_row().
    void open_row(std::string_view port);
    void close_row() { printer_.close_object(); }
    void close_port();

    // Prints `a` or `a-b`; width pads it in text.
    void range(std::string_view key, std::string_view end_key, uint32_t first, uint32_t last,
               size_t width = 0);

  private:
    Printer& printer_;
    std::string_view key_;
    bool open_ = false;
};

}  // namespace nlsh
