// bridge vlan show and tunnelshow, by a dump of links with their VLANs; with -s, by dumps of
// statistics.
#include <linux/if_bridge.h>
#include <linux/if_link.h>
#include <sys/socket.h>

#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/net/attributes.h"
#include "backend/objects/bridge/vlan/query.h"
#include "backend/objects/bridge/vlan/rows.h"
#include "backend/run.h"

namespace nlsh {
namespace {

constexpr std::string_view tunnel_header = "port              vlan-id    tunnel-id\n";

// Joins the two ends of a range into one entry.
struct RangeReader {
    bridge_vlan_info begin{};

    // True when `info` ends an entry that starts at `begin.vid`.
    bool complete(const bridge_vlan_info& info) {
        if ((info.flags & BRIDGE_VLAN_INFO_RANGE_END) == 0) begin = info;
        return (info.flags & BRIDGE_VLAN_INFO_RANGE_BEGIN) == 0;
    }
};

void print_port(const VlanQuery& query, Printer& printer, VlanRows& rows, std::string_view port,
                Bytes spec) {
    RangeReader range;
    for (const Attribute attribute : AttributeRange(spec)) {
        if (attribute.type() != IFLA_BRIDGE_VLAN_INFO) continue;
        const auto info = attribute.as<bridge_vlan_info>();
        if (!range.complete(info) || !query.wants(range.begin.vid, info.vid)) continue;
        rows.open_row(port);
        rows.range("vlan", "vlanEnd", range.begin.vid, info.vid);
        print_vlan_flags(printer, info.flags);
        printer.line_break();
        rows.close_row();
    }
    rows.close_port();
}

void print_tunnels(const VlanQuery& query, Printer& printer, VlanRows& rows, std::string_view port,
                   Bytes spec) {
    RangeReader range;
    uint32_t first_id = 0;
    for (const Attribute attribute : AttributeRange(spec)) {
        if (attribute.type() != IFLA_BRIDGE_VLAN_TUNNEL_INFO) continue;
        const Attributes<IFLA_BRIDGE_VLAN_TUNNEL_MAX> tunnel(attribute);
        if (!tunnel[IFLA_BRIDGE_VLAN_TUNNEL_VID] || !tunnel[IFLA_BRIDGE_VLAN_TUNNEL_ID]) continue;
        const Attribute flags = tunnel[IFLA_BRIDGE_VLAN_TUNNEL_FLAGS];
        const bridge_vlan_info info{.flags = flags ? flags.u16() : uint16_t{0},
                                    .vid = tunnel[IFLA_BRIDGE_VLAN_TUNNEL_VID].u16()};
        const uint32_t id = tunnel[IFLA_BRIDGE_VLAN_TUNNEL_ID].u32();
        if ((info.flags & BRIDGE_VLAN_INFO_RANGE_END) == 0) first_id = id;
        if (!range.complete(info) || !query.wants(range.begin.vid, info.vid)) continue;
        rows.open_row(port);
        rows.range("vlan", "vlanEnd", range.begin.vid, info.vid, 9);
        printer.text("  ");
        rows.range("tunid", "tunidEnd", first_id, id);
        printer.line_break();
        rows.close_row();
    }
    rows.close_port();
}

using PrintPort = void (*)(const VlanQuery&, Printer&, VlanRows&, std::string_view, Bytes);

int show_links(const VlanQuery& query, std::string_view header, std::string_view key,
               PrintPort print) {
    Message message(RTM_GETLINK, 0, of_family<ifinfomsg>(AF_BRIDGE));
    message.put_u32(IFLA_EXT_MASK, query.options.compress_vlans ? RTEXT_FILTER_BRVLAN_COMPRESSED
                                                                : RTEXT_FILTER_BRVLAN);
    Printer printer(*query.context.out, query.options);
    VlanRows rows(printer, header, key);
    DeviceNames names(query.channel);
    const Verdict verdict = query.channel.dump(message, [&](const nlmsghdr& answer) {
        const auto* link = family_header<ifinfomsg>(answer);
        if (answer.nlmsg_type != RTM_NEWLINK || link == nullptr) return true;
        const auto ifindex = static_cast<uint32_t>(link->ifi_index);
        if (link->ifi_family != AF_BRIDGE || !query.wants_device(ifindex)) return true;
        const Attributes<IFLA_MAX> attributes(attribute_bytes<ifinfomsg>(answer));
        if (const Attribute spec = attributes[IFLA_AF_SPEC]) {
            print(query, printer, rows, names.name(ifindex), spec.bytes());
        }
        return printer.flush_if_large();
    });
    return end_dump(query.context, printer, verdict, 1);
}

constexpr std::string_view statistics_header = "port              vlan-id\n";

// Whether the VLAN is configured on ports only, not on the bridge itself.
bool of_ports_only(const bridge_vlan_xstats& vlan) {
    return (vlan.flags & BRIDGE_VLAN_INFO_MASTER) != 0 &&
           (vlan.flags & BRIDGE_VLAN_INFO_BRENTRY) == 0;
}

void print_statistics(const VlanQuery& query, Printer& printer, VlanRows& rows,
                      std::string_view port, Attribute xstats) {
    const Attributes<LINK_XSTATS_TYPE_MAX> types(xstats);
    const Attribute bridge = types[LINK_XSTATS_TYPE_BRIDGE];
    if (!bridge) return;
    for (const Attribute attribute : AttributeRange(bridge.bytes())) {
        if (attribute.type() != BRIDGE_XSTATS_VLAN) continue;
        const auto vlan = attribute.as<bridge_vlan_xstats>();
        if (of_ports_only(vlan) || !query.wants(vlan.vid, vlan.vid)) continue;
        rows.open_row(port);
        rows.range("vid", {}, vlan.vid, vlan.vid);
        print_vlan_flags(printer, vlan.flags);
        printer.line_break();
        print_vlan_counters(printer, vlan.rx_bytes, vlan.rx_packets, vlan.tx_bytes,
                            vlan.tx_packets);
        rows.close_row();
    }
    rows.close_port();
}

// Dumps the statistics of bridges (IFLA_STATS_LINK_XSTATS) or of their ports (…_SLAVE).
Verdict dump_statistics(const VlanQuery& query, Printer& printer, VlanRows& rows,
                        DeviceNames& names, uint16_t type) {
    if_stats_msg request{};
    request.filter_mask = IFLA_STATS_FILTER_BIT(type);
    Message message(RTM_GETSTATS, 0, request);
    return query.channel.dump(message, [&](const nlmsghdr& answer) {
        const auto* stats = family_header<if_stats_msg>(answer);
        if (stats == nullptr || !query.wants_device(stats->ifindex)) return true;
        const Attributes<IFLA_STATS_MAX> attributes(attribute_bytes<if_stats_msg>(answer));
        print_statistics(query, printer, rows, names.name(stats->ifindex), attributes[type]);
        return printer.flush_if_large();
    });
}

int show_vlan_statistics(const VlanQuery& query) {
    show_large_reads(query.channel);
    Printer printer(*query.context.out, query.options);
    VlanRows rows(printer, statistics_header, "vlans");
    DeviceNames names(query.channel);
    for (const uint16_t type : {IFLA_STATS_LINK_XSTATS, IFLA_STATS_LINK_XSTATS_SLAVE}) {
        const Verdict verdict = dump_statistics(query, printer, rows, names, type);
        if (dump_failed(query.context, printer, verdict)) return 1;
    }
    printer.end_document();
    return 0;
}

}  // namespace

void show_large_reads(Channel& channel) {
    ifinfomsg loopback{};
    loopback.ifi_index = 1;
    Message message(RTM_GETLINK, 0, loopback);
    channel.get(message, [](const nlmsghdr&) { return false; });
}

ExitStatus run(Context& context, const Options& options, const VlanShow& request) {
    Channel& channel = TRY(open_channel(context, options));
    const uint32_t device = TRY(find_wanted_device(context, options, channel, request.device));
    const VlanQuery query{context, options, channel, device, request.vid};
    if (request.table == VlanTable::global) return show_global_options(query);
    if (request.table == VlanTable::tunnels)
        return show_links(query, tunnel_header, "tunnels", print_tunnels);
    if (options.details > 0 && context.has(options, Trait::vlan_details)) {
        if (!context.needs(options, Trait::vlan_options)) return 1;
        return show_vlan_options(query);
    }
    if (options.statistics > 0) return show_vlan_statistics(query);
    return show_links(query, vlan_header, "vlans", print_port);
}

}  // namespace nlsh
