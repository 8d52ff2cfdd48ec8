// bridge vlan show and tunnelshow, by a dump of links with their VLANs.
#include <linux/if_bridge.h>
#include <sys/socket.h>

#include "backend/dump.h"
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
        rows.vlan_flags(info.flags);
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
    ifinfomsg request{};
    request.ifi_family = AF_BRIDGE;
    Message message(RTM_GETLINK, 0, request);
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
