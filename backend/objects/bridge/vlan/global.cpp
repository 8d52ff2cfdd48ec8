// bridge vlan global show: the multicast options of a bridge's VLANs.
#include <linux/if_bridge.h>

#include "backend/objects/bridge/vlan/query.h"
#include "backend/objects/bridge/words/vlan_options.h"

namespace nlsh {
namespace {

using GlobalOptions = Attributes<BRIDGE_VLANDB_GOPTS_MAX>;

// iproute2 prints ports with multicast routers on a line of their own.
bool is_unusual(const GlobalOptions& options) {
    const Attribute ports = options[BRIDGE_VLANDB_GOPTS_MCAST_ROUTER_PORTS];
    return ports && ports.size() != 0;
}

}  // namespace

void print_global_options(const VlanQuery& query, Printer& printer, VlanRows& rows,
                          std::string_view port, const Attribute& vlan) {
    const GlobalOptions options(vlan);
    const Attribute vid = options[BRIDGE_VLANDB_GOPTS_ID];
    if (!vid) return;
    const Attribute range = options[BRIDGE_VLANDB_GOPTS_RANGE];
    const uint16_t last = range ? range.u16() : vid.u16();
    if (!query.wants(vid.u16(), last)) return;
    rows.open_row(port);
    rows.range("vlan", "vlanEnd", vid.u16(), last);
    printer.line_break();
    printer.text("                    ");
    print_vlan_fields(query.context, printer, global_vlan_options, options);
    printer.line_break();
    rows.close_row();
}

int show_global_options(const VlanQuery& query) {
    return show_vlan_entries(
        query, BRIDGE_VLANDB_DUMPF_GLOBAL, BRIDGE_VLANDB_GLOBAL_OPTIONS,
        [&](Printer& printer, VlanRows& rows, std::string_view port, const Attribute& vlan) {
            const GlobalOptions options(vlan);
            if (options[BRIDGE_VLANDB_GOPTS_MCAST_QUERIER_STATE] &&
                query.context.has(query.options, Trait::vlan_querier_state)) {
                query.context.fall_back("the state of a querier");
            }
            if (is_unusual(options) && query.context.fall_back("multicast router ports")) {
                return false;
            }
            print_global_options(query, printer, rows, port, vlan);
            return true;
        });
}

}  // namespace nlsh
