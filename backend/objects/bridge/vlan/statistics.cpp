// bridge -s vlan show.
#include <linux/if_bridge.h>
#include <linux/if_link.h>

#include "backend/dump.h"
#include "backend/names/devices.h"
#include "backend/net/attributes.h"
#include "backend/objects/bridge/vlan/query.h"
#include "backend/objects/bridge/vlan/rows.h"

namespace nlsh {
namespace {

constexpr std::string_view header = "port              vlan-id\n";

// Whether the VLAN is configured on ports only, not on the bridge itself.
bool of_ports_only(const bridge_vlan_xstats& vlan) {
    return (vlan.flags & BRIDGE_VLAN_INFO_MASTER) != 0 &&
           (vlan.flags & BRIDGE_VLAN_INFO_BRENTRY) == 0;
}

void print_port(const VlanQuery& query, Printer& printer, VlanRows& rows, std::string_view port,
                Attribute xstats) {
    const Attributes<LINK_XSTATS_TYPE_MAX> types(xstats);
    const Attribute bridge = types[LINK_XSTATS_TYPE_BRIDGE];
    if (!bridge) return;
    for (const Attribute attribute : AttributeRange(bridge.bytes())) {
        if (attribute.type() != BRIDGE_XSTATS_VLAN) continue;
        const auto vlan = attribute.as<bridge_vlan_xstats>();
        if (of_ports_only(vlan) || !query.wants(vlan.vid, vlan.vid)) continue;
        rows.open_row(port);
        rows.range("vid", {}, vlan.vid, vlan.vid);
        rows.vlan_flags(vlan.flags);
        printer.line_break();
        rows.statistics(vlan.rx_bytes, vlan.rx_packets, vlan.tx_bytes, vlan.tx_packets);
        rows.close_row();
    }
    rows.close_port();
}

// Dumps the statistics of bridges (IFLA_STATS_LINK_XSTATS) or of their ports (…_SLAVE).
Verdict dump(const VlanQuery& query, Printer& printer, VlanRows& rows, DeviceNames& names,
             uint16_t type) {
    if_stats_msg request{};
    request.filter_mask = IFLA_STATS_FILTER_BIT(type);
    Message message(RTM_GETSTATS, 0, request);
    return query.channel.dump(message, [&](const nlmsghdr& answer) {
        const auto* stats = family_header<if_stats_msg>(answer);
        if (stats == nullptr || !query.wants_device(stats->ifindex)) return true;
        const Attributes<IFLA_STATS_MAX> attributes(attribute_bytes<if_stats_msg>(answer));
        print_port(query, printer, rows, names.name(stats->ifindex), attributes[type]);
        return printer.flush_if_large();
    });
}

}  // namespace

int show_vlan_statistics(const VlanQuery& query) {
    show_large_reads(query.channel);
    Printer printer(*query.context.out, query.options);
    VlanRows rows(printer, header, "vlans");
    DeviceNames names(query.channel);
    for (const uint16_t type : {IFLA_STATS_LINK_XSTATS, IFLA_STATS_LINK_XSTATS_SLAVE}) {
        const Verdict verdict = dump(query, printer, rows, names, type);
        if (dump_failed(query.context, printer, verdict)) return 1;
    }
    printer.end_document();
    return 0;
}

}  // namespace nlsh
