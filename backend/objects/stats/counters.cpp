#include "backend/objects/stats/counters.h"

#include <fmt/format.h>
#include <linux/if_bridge.h>
#include <linux/mpls.h>

#include <array>
#include <string>
#include <vector>

#include "backend/objects/bridge/vlan/rows.h"

namespace nlsh {
namespace {

constexpr std::string_view indent = "                    ";

using Pair = const __u64 (&)[BR_MCAST_DIR_SIZE];

// IGMP has three versions, MLD two.
struct Versions {
    std::string_view key, title;
    std::vector<std::array<uint64_t, 2>> counters;  // received, sent
};

std::array<uint64_t, 2> directions(Pair pair) {
    return {pair[BR_MCAST_DIR_RX], pair[BR_MCAST_DIR_TX]};
}

void print_versions(Printer& printer, const Versions& versions) {
    printer.open_object(versions.key);
    printer.text(fmt::format("{}{}:\n", indent, versions.title));
    for (const size_t direction : {0U, 1U}) {
        printer.text(fmt::format("{}  {}:", indent, direction == 0 ? "RX" : "TX"));
        for (size_t version = 0; version < versions.counters.size(); ++version) {
            printer.number(fmt::format("{}_v{}", direction == 0 ? "rx" : "tx", version + 1),
                           fmt::format(" v{} ", version + 1), versions.counters[version][direction],
                           {});
        }
        printer.text("\n");
    }
    printer.close_object();
}

void print_leaves(Printer& printer, std::string_view key, std::string_view title,
                  std::array<uint64_t, 2> counters) {
    printer.open_object(key);
    printer.text(fmt::format("{}{}:", indent, title));
    printer.number("rx", " RX: ", counters[0], {});
    printer.number("tx", " TX: ", counters[1], "\n");
    printer.close_object();
}

void print_errors(Printer& printer, std::string_view key, std::string_view title, uint64_t value) {
    printer.number(key, fmt::format("{}{}: ", indent, title), value, "\n");
}

void print_bridge_vlan(Printer& printer, const bridge_vlan_xstats& vlan) {
    printer.open_object();
    printer.number("vid", "                  ", vlan.vid, {});
    print_vlan_flags(printer, vlan.flags);
    printer.text("\n");
    print_vlan_counters(printer, vlan.rx_bytes, vlan.rx_packets, vlan.tx_bytes, vlan.tx_packets);
    printer.text("\n");
    printer.close_object();
}

// The column of bytes includes the room for `RX: `.
size_t width_of(const CounterColumn& column) {
    if (column.key == "bytes") return 9;
    return column.key == "errors" ? 6 : 7;
}

bool print_direction(Printer& printer, std::string_view margin, std::string_view heading,
                     std::span<const CounterColumn> columns) {
    std::string titles = fmt::format("{}{}:", margin, heading);
    std::string values(margin);
    bool good = true;
    printer.open_object(heading == "RX" ? "rx" : "tx");
    for (const CounterColumn& column : columns) {
        const size_t width = width_of(column);
        const std::string value = fmt::format("{:>{}} ", column.value, width);
        good = good && value.size() == width + 1;
        titles += fmt::format(" {:>{}}", column.title, column.key == "bytes" ? 5 : width);
        values += value;
        printer.json_number(column.key, column.value);
    }
    printer.close_object();
    printer.text(titles);
    printer.line_break();
    printer.text(values);
    return good;
}

}  // namespace

void print_bridge_multicast(Printer& printer, const Attribute& counters) {
    const auto s = counters.as<br_mcast_stats>();
    printer.open_object("multicast");
    print_versions(printer, {"igmp_queries",
                             "IGMP queries",
                             {directions(s.igmp_v1queries), directions(s.igmp_v2queries),
                              directions(s.igmp_v3queries)}});
    print_versions(printer, {"igmp_reports",
                             "IGMP reports",
                             {directions(s.igmp_v1reports), directions(s.igmp_v2reports),
                              directions(s.igmp_v3reports)}});
    print_leaves(printer, "igmp_leaves", "IGMP leaves", directions(s.igmp_leaves));
    print_errors(printer, "igmp_parse_errors", "IGMP parse errors", s.igmp_parse_errors);
    print_versions(
        printer,
        {"mld_queries", "MLD queries", {directions(s.mld_v1queries), directions(s.mld_v2queries)}});
    print_versions(
        printer,
        {"mld_reports", "MLD reports", {directions(s.mld_v1reports), directions(s.mld_v2reports)}});
    print_leaves(printer, "mld_leaves", "MLD leaves", directions(s.mld_leaves));
    print_errors(printer, "mld_parse_errors", "MLD parse errors", s.mld_parse_errors);
    printer.close_object();
}

void print_bridge_stp(Printer& printer, const Attribute& counters) {
    const auto s = counters.as<bridge_stp_xstats>();
    printer.open_object("stp");
    printer.text(fmt::format("{}STP BPDU:  ", indent));
    printer.number("rx_bpdu", "RX: ", s.rx_bpdu, {});
    printer.number("tx_bpdu", " TX: ", s.tx_bpdu, "\n");
    printer.text(fmt::format("{}STP TCN:   ", indent));
    printer.number("rx_tcn", "RX: ", s.rx_tcn, {});
    printer.number("tx_tcn", " TX: ", s.tx_tcn, "\n");
    printer.text(fmt::format("{}STP Transitions: ", indent));
    printer.number("transition_blk", "Blocked: ", s.transition_blk, {});
    printer.number("transition_fwd", " Forwarding: ", s.transition_fwd, "\n");
    printer.close_object();
}

bool print_bridge_vlans(Printer& printer, const Attribute& bridge) {
    constexpr uint16_t seen = BRIDGE_VLAN_INFO_PVID | BRIDGE_VLAN_INFO_UNTAGGED;
    bool good = true;
    printer.open_array("vlans");
    for (const Attribute attribute : AttributeRange(bridge ? bridge.bytes() : Bytes{})) {
        if (attribute.type() != BRIDGE_XSTATS_VLAN) continue;
        const auto vlan = attribute.as<bridge_vlan_xstats>();
        good &= (vlan.flags & ~seen) == 0 && !printer.options().oneline;
        print_bridge_vlan(printer, vlan);
    }
    printer.close_array();
    return good;
}

bool print_counter_table(Printer& printer, std::string_view margin,
                         std::span<const CounterColumn> received,
                         std::span<const CounterColumn> sent) {
    const bool good = print_direction(printer, margin, "RX", received);
    printer.line_break();
    return print_direction(printer, margin, "TX", sent) && good;
}

bool print_mpls_counters(Printer& printer, std::string_view margin, const Attribute& counters) {
    const auto s = counters.as<mpls_link_stats>();
    return print_counter_table(printer, margin, s, {"noroute", "noroute", s.rx_noroute});
}

void print_hardware_state(Printer& printer, const Attribute& suite) {
    const Attributes<IFLA_OFFLOAD_XSTATS_HW_S_INFO_MAX> information(suite);
    if (const Attribute request = information[IFLA_OFFLOAD_XSTATS_HW_S_INFO_REQUEST]) {
        printer.on_off("request", " ", request.u8() != 0, {});
    }
    if (const Attribute used = information[IFLA_OFFLOAD_XSTATS_HW_S_INFO_USED]) {
        printer.on_off("used", " used ", used.u8() != 0, {});
    }
}

}  // namespace nlsh
