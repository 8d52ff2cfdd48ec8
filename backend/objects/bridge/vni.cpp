// bridge vni: the VNIs of a VXLAN device that filters them.
#include <fmt/format.h>
#include <linux/if_link.h>
#include <sys/socket.h>

#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/net/attributes.h"
#include "backend/objects/bridge/vlan/query.h"
#include "backend/objects/bridge/vni_entries.h"
#include "backend/objects/bridge/words/vni.h"
#include "backend/render/format.h"
#include "backend/render/numbers.h"
#include "backend/run.h"
#include "parser/ip/bytes.h"

namespace nlsh {
namespace {

// The format of the table in text.
struct Layout {
    std::string_view header;
    Color name = Color::none;
    size_t name_width;
    size_t vni_width;           // of a VNI or a range; in `loose`, of a VNI or a range's end
    std::string_view remote;    // before an address
    std::string_view counters;  // before a line of counters
    bool gap = false;           // an empty line after each device
};
constexpr Layout loose{.header = "dev               vni              group/remote   \n",
                       .name_width = 19,
                       .vni_width = 14,
                       .remote = " ",
                       .counters = "                   ",
                       .gap = true};
constexpr Layout tight{.header = "dev               vni                group/remote\n",
                       .name = Color::ifname,
                       .name_width = 18,
                       .vni_width = 19,
                       .remote = "",
                       .counters = "                    "};

std::string vni_column(const Layout& layout, uint32_t first, Attribute last) {
    if (!last) return fmt::format("{:<{}}", first, layout.vni_width);
    if (layout.gap) return fmt::format("{}-{:<{}} ", first, last.u32(), layout.vni_width);
    return fmt::format("{:<{}}", fmt::format("{}-{}", first, last.u32()), layout.vni_width);
}

const Layout& layout_of(Context& context, const Printer& printer) {
    return context.has(printer.options(), Trait::vni_table_tight) ? tight : loose;
}

constexpr NumberField received[] = {
    {VNIFILTER_ENTRY_STATS_RX_BYTES, "rx_bytes", "bytes "},
    {VNIFILTER_ENTRY_STATS_RX_PKTS, "rx_pkts", "pkts "},
    {VNIFILTER_ENTRY_STATS_RX_DROPS, "rx_drops", "drops "},
    {VNIFILTER_ENTRY_STATS_RX_ERRORS, "rx_errors", "errors "},
};
constexpr NumberField sent[] = {
    {VNIFILTER_ENTRY_STATS_TX_BYTES, "tx_bytes", "bytes "},
    {VNIFILTER_ENTRY_STATS_TX_PKTS, "tx_pkts", "pkts "},
    {VNIFILTER_ENTRY_STATS_TX_DROPS, "tx_drops", "drops "},
    {VNIFILTER_ENTRY_STATS_TX_ERRORS, "tx_errors", "errors "},
};

using Statistics = Attributes<VNIFILTER_ENTRY_STATS_MAX>;

void print_counters(Printer& printer, const Statistics& statistics, std::string_view direction,
                    std::span<const NumberField> counters) {
    printer.text(direction);
    print_numbers(printer, statistics, counters);
    printer.line_break();
}

void print_statistics(Printer& printer, const Layout& layout, const Attribute& nest) {
    const Statistics statistics(nest);
    printer.open_object("stats");
    printer.text(layout.counters);
    print_counters(printer, statistics, "RX: ", received);
    printer.text(layout.counters);
    print_counters(printer, statistics, "TX: ", sent);
    printer.close_object();
}

void print_remote(Printer& printer, const Layout& layout, uint8_t family, Bytes address) {
    const bool multicast = family == AF_INET6 ? address[0] == 0xff : (address[0] & 0xf0) == 0xe0;
    printer.string(multicast ? "group" : "remote", layout.remote, format_address(family, address),
                   "");
}

void print_entry(Printer& printer, const Layout& layout, const Attribute& nest) {
    const Attributes<VXLAN_VNIFILTER_ENTRY_MAX> entry(nest);
    const Attribute start = entry[VXLAN_VNIFILTER_ENTRY_START];
    const Attribute end = entry[VXLAN_VNIFILTER_ENTRY_END];
    if (!start) return;
    printer.open_object();
    printer.json_number("vni", start.u32());
    if (end) printer.json_number("vniEnd", end.u32());
    printer.text(vni_column(layout, start.u32(), end));
    const Attribute group = entry[VXLAN_VNIFILTER_ENTRY_GROUP];
    const Attribute group6 = entry[VXLAN_VNIFILTER_ENTRY_GROUP6];
    if (group && group.size() == 4 && !all_zero(group.bytes())) {
        print_remote(printer, layout, AF_INET, group.bytes());
    } else if (group6 && group6.size() == 16 && !all_zero(group6.bytes())) {
        print_remote(printer, layout, AF_INET6, group6.bytes());
    }
    printer.line_break();
    if (entry[VXLAN_VNIFILTER_ENTRY_STATS]) {
        print_statistics(printer, layout, entry[VXLAN_VNIFILTER_ENTRY_STATS]);
    }
    printer.close_object();
}

void put_range(Message& message, const VniChange& request, const IdRange& vnis) {
    const size_t nest = message.begin_nest(NLA_F_NESTED | VXLAN_VNIFILTER_ENTRY);
    message.put_u32(VXLAN_VNIFILTER_ENTRY_START, vnis.first);
    if (vnis.last) message.put_u32(VXLAN_VNIFILTER_ENTRY_END, *vnis.last);
    if (request.remote) {
        const bool ipv6 = request.remote->family == AF_INET6;
        message.put(ipv6 ? VXLAN_VNIFILTER_ENTRY_GROUP6 : VXLAN_VNIFILTER_ENTRY_GROUP,
                    request.remote->span());
    }
    message.end_nest(nest);
}

int cannot_find_vxlan_device(Context& context, const Options&, std::string_view name) {
    print_error(context, fmt::format("Cannot find vxlan device \"{}\"\n", name));
    return 255;
}

}  // namespace

void print_vnis(Context& context, Printer& printer, std::string_view name, Bytes entries) {
    const Layout& layout = layout_of(context, printer);
    bool open = false;
    for (const Attribute attribute : AttributeRange(entries)) {
        if (attribute.type() != VXLAN_VNIFILTER_ENTRY) continue;
        if (!open) {
            printer.open_object();
            printer.json_string("ifname", name);
            printer.open_array("vnis");
            printer.paint(layout.name);
            printer.text(fmt::format("{:<{}}", name, layout.name_width));
            printer.unpaint(layout.name);
        } else {
            printer.text(std::string(layout.name_width, ' '));
        }
        open = true;
        print_entry(printer, layout, attribute);
    }
    if (!open) return;
    printer.close_array();
    printer.close_object();
    if (layout.gap) printer.line_break();
}

ExitStatus run(Context& context, const Options& options, const VniChange& request) {
    Channel& channel = TRY(open_channel(context, options));
    auto tunnel = of_family<tunnel_msg>(AF_BRIDGE);
    tunnel.ifindex =
        TRY(require_device(context, options, channel, request.device, cannot_find_vxlan_device));
    Message message(request.verb == ChangeVerb::remove ? RTM_DELTUNNEL : RTM_NEWTUNNEL, 0, tunnel);
    for (const IdRange& vnis : request.vnis)
        put_range(message, request, vnis);
    return send_unechoed(context, options, channel, message);
}

ExitStatus run(Context& context, const Options& options, const VniShow& request) {
    Channel& channel = TRY(open_channel(context, options));
    auto tunnel = of_family<tunnel_msg>(AF_BRIDGE);
    tunnel.flags = options.statistics > 0 ? TUNNEL_MSG_FLAG_STATS : 0;
    tunnel.ifindex = TRY(find_wanted_device(context, options, channel, request.device));
    show_large_reads(channel);
    Message message(RTM_GETTUNNEL, 0, tunnel);
    DeviceNames names(channel);
    Printer printer(*context.out, options);
    printer.begin_document();
    printer.text(layout_of(context, printer).header);
    const Verdict verdict = channel.dump(message, [&](const nlmsghdr& answer) {
        const auto* device = family_header<tunnel_msg>(answer);
        if (answer.nlmsg_type != RTM_NEWTUNNEL || device == nullptr) return true;
        print_vnis(context, printer, names.name(device->ifindex),
                   attribute_bytes<tunnel_msg>(answer));
        return printer.flush_if_large();
    });
    if (!print_dump_verdict(context, verdict)) {
        print_error(context, "Dump ternminated\n");  // iproute2's spelling
        printer.flush();
        return 1;
    }
    printer.end_document();
    return 0;
}

}  // namespace nlsh
