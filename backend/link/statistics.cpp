#include "backend/link/statistics.h"

#include <fmt/format.h>
#include <linux/if_link.h>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace nlsh {
namespace {

struct Column {
    std::string_view title;
    std::string_view key;
    uint64_t value;
};

// One pair of lines: titles and values. The first column of error rows is empty in text.
struct Row {
    std::string_view heading;
    bool errors;
    std::vector<Column> columns;
};

constexpr size_t columns = 7;
using Widths = std::array<size_t, columns>;
constexpr Widths least_widths = {10, 7, 6, 7, 7, 7, 10};

Row receive_row(const rtnl_link_stats64& s) {
    return {"RX:",
            false,
            {{"bytes", "bytes", s.rx_bytes},
             {"packets", "packets", s.rx_packets},
             {"errors", "errors", s.rx_errors},
             {"dropped", "dropped", s.rx_dropped},
             {"missed", "over_errors", s.rx_missed_errors},
             {"mcast", "multicast", s.multicast}}};
}

Row receive_errors_row(const rtnl_link_stats64& s) {
    return {"RX errors:",
            true,
            {{"length", "length_errors", s.rx_length_errors},
             {"crc", "crc_errors", s.rx_crc_errors},
             {"frame", "frame_errors", s.rx_frame_errors},
             {"fifo", "fifo_errors", s.rx_fifo_errors},
             {"overrun", "missed_errors", s.rx_over_errors}}};
}

Row transmit_row(const rtnl_link_stats64& s) {
    return {"TX:",
            false,
            {{"bytes", "bytes", s.tx_bytes},
             {"packets", "packets", s.tx_packets},
             {"errors", "errors", s.tx_errors},
             {"dropped", "dropped", s.tx_dropped},
             {"carrier", "carrier_errors", s.tx_carrier_errors},
             {"collsns", "collisions", s.collisions}}};
}

Row transmit_errors_row(const rtnl_link_stats64& s, Attribute carrier_changes) {
    Row row{"TX errors:",
            true,
            {{"aborted", "aborted_errors", s.tx_aborted_errors},
             {"fifo", "fifo_errors", s.tx_fifo_errors},
             {"window", "window_errors", s.tx_window_errors},
             {"heartbt", "heartbeat_errors", s.tx_heartbeat_errors}}};
    if (carrier_changes) {
        row.columns.push_back({"transns", "carrier_changes", carrier_changes.u32()});
    }
    return row;
}

Widths widths_of(std::span<const Row> rows) {
    Widths widths = least_widths;
    for (const Row& row : rows) {
        size_t place = row.errors ? 1 : 0;
        for (const Column& column : row.columns) {
            widths[place] = std::max(widths[place], fmt::format_int(column.value).size());
            ++place;
        }
    }
    return widths;
}

void print_row(Printer& printer, const Row& row, const Widths& widths) {
    std::string titles = fmt::format("    {}", row.heading);
    std::string values = "    ";
    size_t place = 0;
    if (row.errors) values += fmt::format("{:>{}} ", "", widths[place++]);
    for (const Column& column : row.columns) {
        const size_t width = widths[place] - (place == 0 ? 4 : 0);
        titles += fmt::format(" {:>{}}", column.title, width);
        values += fmt::format("{:>{}} ", column.value, widths[place]);
        ++place;
    }
    // The first rows end in a blank cell for compressed packets.
    if (!row.errors) titles += fmt::format(" {:>{}}", "", widths[columns - 1]);
    printer.text(titles);
    printer.line_break();
    printer.text(values);
}

void print_text(Printer& printer, std::span<const Row> rows) {
    const Widths widths = widths_of(rows);
    for (const Row& row : rows) {
        if (&row != rows.data()) printer.line_break();
        print_row(printer, row, widths);
    }
}

void print_json(Printer& printer, std::string_view key, std::span<const Row> rows) {
    printer.open_object(key);
    std::string_view open;
    for (const Row& row : rows) {
        const std::string_view direction = row.heading.starts_with("RX") ? "rx" : "tx";
        if (direction != open) {
            if (!open.empty()) printer.close_object();
            printer.open_object(direction);
            open = direction;
        }
        for (const Column& column : row.columns) printer.json_number(column.key, column.value);
    }
    printer.close_object();
    printer.close_object();
}

}  // namespace

bool print_link_statistics(Printer& printer, const LinkAttributes& attributes) {
    const Attribute counters = attributes[IFLA_STATS64];
    if (!counters) return !attributes[IFLA_STATS];
    const auto s = counters.as<rtnl_link_stats64>();
    const bool errors = printer.options().statistics > 1;
    if (s.rx_compressed != 0 || s.tx_compressed != 0) return false;
    if (errors && s.rx_nohandler != 0) return false;
    std::vector<Row> rows{receive_row(s)};
    if (errors) rows.push_back(receive_errors_row(s));
    rows.push_back(transmit_row(s));
    if (errors) rows.push_back(transmit_errors_row(s, attributes[IFLA_CARRIER_CHANGES]));
    if (printer.json()) {
        print_json(printer, "stats64", rows);
    } else {
        print_text(printer, rows);
    }
    return true;
}

}  // namespace nlsh
