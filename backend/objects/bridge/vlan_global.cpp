// bridge vlan global show: the multicast options of a bridge's VLANs.
#include <linux/if_bridge.h>

#include "backend/objects/bridge/vlan_query.h"
#include "backend/render/numbers.h"

namespace nlsh {
namespace {

constexpr NumberField fields[] = {
    {BRIDGE_VLANDB_GOPTS_MCAST_SNOOPING, "mcast_snooping", "mcast_snooping "},
    {BRIDGE_VLANDB_GOPTS_MCAST_QUERIER, "mcast_querier", "mcast_querier "},
    {BRIDGE_VLANDB_GOPTS_MCAST_IGMP_VERSION, "mcast_igmp_version", "mcast_igmp_version "},
    {BRIDGE_VLANDB_GOPTS_MCAST_MLD_VERSION, "mcast_mld_version", "mcast_mld_version "},
    {BRIDGE_VLANDB_GOPTS_MCAST_LAST_MEMBER_CNT, "mcast_last_member_count",
     "mcast_last_member_count "},
    {BRIDGE_VLANDB_GOPTS_MCAST_LAST_MEMBER_INTVL, "mcast_last_member_interval",
     "mcast_last_member_interval "},
    {BRIDGE_VLANDB_GOPTS_MCAST_STARTUP_QUERY_CNT, "mcast_startup_query_count",
     "mcast_startup_query_count "},
    {BRIDGE_VLANDB_GOPTS_MCAST_STARTUP_QUERY_INTVL, "mcast_startup_query_interval",
     "mcast_startup_query_interval "},
    {BRIDGE_VLANDB_GOPTS_MCAST_MEMBERSHIP_INTVL, "mcast_membership_interval",
     "mcast_membership_interval "},
    {BRIDGE_VLANDB_GOPTS_MCAST_QUERIER_INTVL, "mcast_querier_interval", "mcast_querier_interval "},
    {BRIDGE_VLANDB_GOPTS_MCAST_QUERY_INTVL, "mcast_query_interval", "mcast_query_interval "},
    {BRIDGE_VLANDB_GOPTS_MCAST_QUERY_RESPONSE_INTVL, "mcast_query_response_interval",
     "mcast_query_response_interval "},
};

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
    print_numbers(printer, options, fields);
    const Attribute instance = options[BRIDGE_VLANDB_GOPTS_MSTI];
    if (instance && query.context.has(query.options, Trait::bridge_vlan_msti)) {
        printer.number("msti", "msti ", instance.u16(), " ");
    }
    printer.line_break();
    rows.close_row();
}

int show_global_options(const VlanQuery& query) {
    return show_vlan_entries(
        query, BRIDGE_VLANDB_DUMPF_GLOBAL, BRIDGE_VLANDB_GLOBAL_OPTIONS,
        [&](Printer& printer, VlanRows& rows, std::string_view port, const Attribute& vlan) {
            if (is_unusual(GlobalOptions(vlan)) &&
                query.context.fall_back("multicast router ports")) {
                return false;
            }
            print_global_options(query, printer, rows, port, vlan);
            return true;
        });
}

}  // namespace nlsh
