// Extended counters of a device: of a bridge or its port, of MPLS, of hardware. Text and JSON.
#pragma once

#include <span>

#include "backend/net/attributes.h"
#include "backend/render/printer.h"

namespace nlsh {

// struct br_mcast_stats, struct bridge_stp_xstats.
void print_bridge_multicast(Printer& printer, const Attribute& counters);
void print_bridge_stp(Printer& printer, const Attribute& counters);
// struct bridge_vlan_xstats, one of each VLAN in that nest. False: one is of a kind that wasn't
// seen.
bool print_bridge_vlans(Printer& printer, const Attribute& bridge);

struct CounterColumn {
    std::string_view title, key;
    uint64_t value;
};

// Titles and values of what came in and what went out, four lines without the last one's end.
// False: a value is wider than its column, whose width then isn't known.
bool print_counter_table(Printer& printer, std::string_view indent,
                         std::span<const CounterColumn> received,
                         std::span<const CounterColumn> sent);

// The same for struct mpls_link_stats.
bool print_mpls_counters(Printer& printer, std::string_view indent, const Attribute& counters);

// Whether counting in hardware was asked for, and whether a device does: ` on used off`.
void print_hardware_state(Printer& printer, const Attribute& suite);

}  // namespace nlsh
