#include "backend/objects/link/statistics.h"

#include <fmt/format.h>

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
    uint64_t json_value;  // in text, two counters have another title than in JSON
    bool always = true;   // false: shown only if it isn't 0

    bool shown() const { return always || value != 0; }
};

// One pair of lines: titles and values. The first column of error rows is empty in text.
struct Row {
    std::string_view heading;
    bool errors;
    size_t sized_at;  // column whose width is measured: iproute2 is one off for `TX errors`
    std::vector<Column> columns;
    bool blanks = true;  // blanks in place of hidden columns
};

// The eighth column is for packets to other hosts.
constexpr size_t columns = 8;
using Widths = std::array<size_t, columns>;
constexpr Widths least_widths = {10, 7, 6, 7, 7, 7, 10, 9};

Column column(std::string_view title, std::string_view key, uint64_t value, bool always = true) {
    return {title, key, value, value, always};
}

Row receive_row(const rtnl_link_stats64& s) {
    return {"RX:",
            false,
            0,
            {column("bytes", "bytes", s.rx_bytes),
             column("packets", "packets", s.rx_packets),
             column("errors", "errors", s.rx_errors),
             column("dropped", "dropped", s.rx_dropped),
             {"missed", "over_errors", s.rx_missed_errors, s.rx_over_errors},
             column("mcast", "multicast", s.multicast),
             column("compressed", "compressed", s.rx_compressed, false)}};
}

Row receive_errors_row(const rtnl_link_stats64& s) {
    return {"RX errors:",
            true,
            1,
            {column("length", "length_errors", s.rx_length_errors),
             column("crc", "crc_errors", s.rx_crc_errors),
             column("frame", "frame_errors", s.rx_frame_errors),
             column("fifo", "fifo_errors", s.rx_fifo_errors),
             {"overrun", "missed_errors", s.rx_over_errors, s.rx_missed_errors},
             column("nohandler", "nohandler", s.rx_nohandler, false),
             column("otherhost", "otherhost", s.rx_otherhost_dropped, false)}};
}

Row transmit_row(const rtnl_link_stats64& s) {
    return {"TX:",
            false,
            0,
            {column("bytes", "bytes", s.tx_bytes), column("packets", "packets", s.tx_packets),
             column("errors", "errors", s.tx_errors), column("dropped", "dropped", s.tx_dropped),
             column("carrier", "carrier_errors", s.tx_carrier_errors),
             column("collsns", "collisions", s.collisions),
             column("compressed", "compressed", s.tx_compressed, false)}};
}

Row transmit_errors_row(const rtnl_link_stats64& s, Attribute carrier_changes) {
    return {"TX errors:",
            true,
            2,
            {column("aborted", "aborted_errors", s.tx_aborted_errors),
             column("fifo", "fifo_errors", s.tx_fifo_errors),
             column("window", "window_errors", s.tx_window_errors),
             column("heartbt", "heartbeat_errors", s.tx_heartbeat_errors),
             column("transns", "carrier_changes", carrier_changes.u32(),
                    static_cast<bool>(carrier_changes))}};
}

Widths widths_of(std::span<const Row> rows) {
    Widths widths = least_widths;
    for (const Row& row : rows) {
        size_t place = row.sized_at;
        for (const Column& column : row.columns) {
            widths[place] = std::max(widths[place], fmt::format_int(column.value).size());
            ++place;
        }
    }
    return widths;
}

void print_row(Printer& printer, const Row& row, const Widths& widths) {
    std::string titles = fmt::format("    {:<{}}", row.heading, row.errors ? widths[0] : 0);
    std::string values = "    ";
    size_t place = 0;
    if (row.errors) values += fmt::format("{:>{}} ", "", widths[place++]);
    for (const Column& column : row.columns) {
        const size_t width = widths[place];
        // The heading takes four bytes of the first column.
        if (column.shown() || row.blanks) {
            titles += fmt::format(" {:>{}}", column.shown() ? column.title : "",
                                  width - (place == 0 ? 4 : 0));
        }
        if (column.shown()) values += fmt::format("{:>{}} ", column.value, width);
        ++place;
    }
    printer.text(titles);
    printer.line_break();
    printer.text(values);
}

// Older builds print columns of fixed width, left-aligned.
std::string older_titles(const Row& row) {
    if (row.heading == "RX:") return "    RX: bytes  packets  errors  dropped missed  mcast   ";
    if (row.heading == "TX:") return "    TX: bytes  packets  errors  dropped carrier collsns ";
    if (row.heading == "RX errors:")
        return "    RX errors: length   crc     frame   fifo    overrun";
    const bool changes = row.columns.back().shown();
    return fmt::format("    TX errors: aborted  fifo   window heartbeat{}",
                       changes ? " transns" : "");
}

void print_older_row(Printer& printer, const Row& row) {
    std::string values(row.errors ? 15 : 4, ' ');
    size_t place = row.errors ? 1 : 0;
    for (const Column& column : row.columns) {
        constexpr size_t widths[] = {10, 8};
        if (column.shown())
            values += fmt::format("{:<{}} ", column.value, place < 2 ? widths[place] : 7);
        ++place;
    }
    printer.text(older_titles(row));
    printer.line_break();
    printer.text(values);
}

// The output of older builds is unknown for rare counters.
bool has_rare_counters(std::span<const Row> rows) {
    return std::ranges::any_of(rows, [](const Row& row) {
        return std::ranges::any_of(row.columns, [](const Column& column) {
            const bool misfiled = column.value != column.json_value;
            return misfiled ||
                   (!column.always && column.value != 0 && column.key != "carrier_changes");
        });
    });
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
        for (const Column& column : row.columns)
            if (column.shown()) printer.json_number(column.key, column.json_value);
    }
    printer.close_object();
    printer.close_object();
}

void print_older_rows(Printer& printer, std::span<const Row> rows) {
    if (printer.json()) return print_json(printer, "stats64", rows);
    for (const Row& row : rows) {
        if (&row != rows.data()) printer.line_break();
        print_older_row(printer, row);
    }
}

void print_rows(Printer& printer, std::span<const Row> rows) {
    if (printer.json()) {
        print_json(printer, "stats64", rows);
    } else {
        print_text(printer, rows);
    }
}

std::vector<Row> rows_of(const rtnl_link_stats64& s, bool errors,
                         const Attribute& carrier_changes) {
    std::vector<Row> rows{receive_row(s)};
    if (errors) {
        rows.push_back(receive_errors_row(s));
        rows.back().blanks = false;
    }
    rows.push_back(transmit_row(s));
    if (errors) rows.push_back(transmit_errors_row(s, carrier_changes));
    return rows;
}

}  // namespace

bool print_link_statistics(Printer& printer, const LinkAttributes& attributes) {
    const Attribute counters = attributes[IFLA_STATS64];
    if (!counters) return !attributes[IFLA_STATS];
    const Options& options = printer.options();
    auto rows = rows_of(counters.as<rtnl_link_stats64>(), options.statistics > 1,
                        attributes[IFLA_CARRIER_CHANGES]);
    if (options.traits.has(Trait::counters_in_columns)) {
        if (options.statistics > 1) {
            const Traits::Answer tight = options.traits[Trait::tight_receive_errors];
            if (tight == Traits::Answer::unknown) return false;
            // Builds with these blanks don't print `otherhost`.
            rows[1].blanks = tight == Traits::Answer::no;
            if (rows[1].blanks) rows[1].columns.pop_back();
        }
        print_rows(printer, rows);
        return true;
    }
    if (!options.traits.lacks(Trait::counters_in_columns) || has_rare_counters(rows)) return false;
    print_older_rows(printer, rows);
    return true;
}

void print_link_counters(Printer& printer, const rtnl_link_stats64& counters) {
    print_rows(printer, rows_of(counters, printer.options().details > 0, {}));
}

}  // namespace nlsh
