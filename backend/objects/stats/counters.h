// Prints a device's extended counters as text or JSON: of a bridge or a port, of MPLS, of hardware.
#pragma once

#include <span>

#include "backend/net/attributes.h"
#include "backend/render/printer.h"

namespace nlsh {

// struct br_mcast_stats, struct bridge_stp_xstats.
void print_bridge_multicast(Printer& printer, const Attribute& counters);
void print_bridge_stp(Printer& printer, const Attribute& counters);
// The bridge_vlan_xstats in this nest, one for each VLAN. False: the form of one is unknown.
bool print_bridge_vlans(Printer& printer, const Attribute& bridge);

struct CounterColumn {
    std::string_view title, key;
    uint64_t value;
};

// Prints titles and values for both directions: four lines, the last without a newline. False: a
// value exceeds its column, so the real width is unknown.
bool print_counter_table(Printer& printer, std::string_view indent,
                         std::span<const CounterColumn> received,
                         std::span<const CounterColumn> sent);
// The same for the usual counters of both directions, and one more of received packets.
template <typename Counters>
bool print_counter_table(Printer& printer, std::string_view indent, const Counters& counters,
                         const CounterColumn& more) {
    const CounterColumn received[] = {{"bytes", "bytes", counters.rx_bytes},
                                      {"packets", "packets", counters.rx_packets},
                                      {"errors", "errors", counters.rx_errors},
                                      {"dropped", "dropped", counters.rx_dropped},
                                      more};
    const CounterColumn sent[] = {{"bytes", "bytes", counters.tx_bytes},
                                  {"packets", "packets", counters.tx_packets},
                                  {"errors", "errors", counters.tx_errors},
                                  {"dropped", "dropped", counters.tx_dropped}};
    return print_counter_table(printer, indent, received, sent);
}

// The same for struct mpls_link_stats.
bool print_mpls_counters(Printer& printer, std::string_view indent, const Attribute& counters);

// Prints whether counting in hardware was requested, and whether a device does it: ` on used off`.
void print_hardware_state(Printer& printer, const Attribute& suite);

}  // namespace nlsh
