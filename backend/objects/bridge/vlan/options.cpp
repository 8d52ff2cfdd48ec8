// bridge -d vlan show: ranges and their options, by RTM_GETVLAN.
#include <linux/if_bridge.h>

#include "backend/objects/bridge/port.h"
#include "backend/objects/bridge/vlan/query.h"
#include "backend/objects/bridge/words/vlan_options.h"

namespace nlsh {
namespace {

constexpr std::string_view indent = "                    ";

using Entry = Attributes<newer::vlan_entry_max>;

// Prints zeros where the kernel sends no counters, as in notifications.
void print_statistics(VlanRows& rows, const Entry& entry) {
    const Attributes<BRIDGE_VLANDB_STATS_MAX> stats(entry[BRIDGE_VLANDB_ENTRY_STATS]);
    const auto value = [&](size_t type) { return stats[type] ? stats[type].u64() : 0; };
    rows.statistics(value(BRIDGE_VLANDB_STATS_RX_BYTES), value(BRIDGE_VLANDB_STATS_RX_PACKETS),
                    value(BRIDGE_VLANDB_STATS_TX_BYTES), value(BRIDGE_VLANDB_STATS_TX_PACKETS));
}

void print_options(Context& context, Printer& printer, const Entry& entry) {
    printer.text(indent);
    // The kernel sends no state for a deleted VLAN; bridge then prints "disabled".
    printer.string("state", "state ", port_state_name(entry[BRIDGE_VLANDB_ENTRY_STATE].u8()), " ");
    print_vlan_fields(context, printer, vlan_options, entry);
    printer.line_break();
}

}  // namespace

void print_vlan_options(const VlanQuery& query, Printer& printer, VlanRows& rows,
                        std::string_view port, const Attribute& vlan) {
    const Entry entry(vlan);
    const Attribute attribute = entry[BRIDGE_VLANDB_ENTRY_INFO];
    if (!attribute) return;
    const auto info = attribute.as<bridge_vlan_info>();
    const Attribute range = entry[BRIDGE_VLANDB_ENTRY_RANGE];
    const uint16_t last = range ? range.u16() : info.vid;
    if (!query.wants(info.vid, last)) return;
    rows.open_row(port);
    rows.range("vlan", "vlanEnd", info.vid, last);
    rows.vlan_flags(info.flags);
    printer.line_break();
    print_options(query.context, printer, entry);
    if (query.options.statistics > 0) print_statistics(rows, entry);
    rows.close_row();
}

int show_vlan_options(const VlanQuery& query) {
    const uint32_t flags = query.options.statistics > 0 ? BRIDGE_VLANDB_DUMPF_STATS : 0;
    return show_vlan_entries(
        query, flags, BRIDGE_VLANDB_ENTRY,
        [&](Printer& printer, VlanRows& rows, std::string_view port, const Attribute& vlan) {
            print_vlan_options(query, printer, rows, port, vlan);
            return true;
        });
}

}  // namespace nlsh
