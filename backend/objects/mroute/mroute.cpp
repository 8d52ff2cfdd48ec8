#include "backend/objects/mroute/mroute.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>

#include "backend/errors.h"
#include "backend/objects/mroute/words/mroute.h"
#include "backend/render/format.h"
#include "backend/run.h"

namespace nlsh {
namespace {

uint8_t unicast_family(const rtmsg& header) {
    return header.rtm_family == RTNL_FAMILY_IPMR ? AF_INET : AF_INET6;
}

std::string address_of(const Attribute& address, uint8_t family) {
    return std::string(address ? format_address(family, address.bytes()).view() : "unknown");
}

void print_addresses(Printer& printer, const rtmsg& header, const Attributes<RTA_MAX>& route) {
    const uint8_t family = unicast_family(header);
    const std::string source = address_of(route[RTA_SRC], family);
    const std::string group = address_of(route[RTA_DST], family);
    printer.json_string("src", source);
    printer.json_string("dst", group);
    printer.text(fmt::format("{:<32} ", fmt::format("({},{})", source, group)));
}

void print_input(Context& context, Printer& printer, DeviceNames& names, const Attribute& device) {
    if (device) {
        const std::string name(names.name(device.u32()));
        printer.string(Color::ifname, "iif",
                       "Iif: ", printer.json() ? name : fmt::format("{:<10}", name), " ");
        return;
    }
    if (printer.json()) context.fall_back("mroute: an unresolved route");
    printer.text("Iif: unresolved ");
}

// Prints the outgoing devices: NAME, or NAME(ttl N).
void print_outputs(Printer& printer, DeviceNames& names, Bytes bytes) {
    printer.open_array("multipath");
    printer.text("Oifs: ");
    while (bytes.size() >= sizeof(rtnexthop)) {
        rtnexthop hop;
        std::memcpy(&hop, bytes.data(), sizeof hop);
        if (hop.rtnh_len < sizeof hop || hop.rtnh_len > bytes.size()) break;
        printer.open_object();
        printer.string(Color::ifname, "oif", {},
                       names.name(static_cast<uint32_t>(hop.rtnh_ifindex)), {});
        if (hop.rtnh_hops > 1) printer.number("ttl", "(ttl ", hop.rtnh_hops, ")");
        printer.close_object();
        printer.text(" ");
        bytes = bytes.subspan(std::min<size_t>(RTNH_ALIGN(hop.rtnh_len), bytes.size()));
    }
    printer.close_array();
}

void print_counters(Context& context, Printer& printer, const Attributes<RTA_MAX>& route) {
    if (const Attribute counters = route[RTA_MFC_STATS]) {
        const auto counted = counters.as<rta_mfc_stats>();
        printer.line_break();
        printer.number("packets", "  ", counted.mfcs_packets, " packets, ");
        printer.number("bytes", {}, counted.mfcs_bytes, " bytes");
        if (counted.mfcs_wrong_if != 0) {
            if (printer.json()) context.fall_back("mroute: packets by another device");
            printer.text(fmt::format(", {} arrived on wrong iif.", counted.mfcs_wrong_if));
        }
    }
    if (const Attribute age = route[RTA_EXPIRES]) {
        const double seconds = static_cast<double>(age.u64()) / 100;
        printer.json_floating("expires", seconds);
        printer.text(fmt::format(", Age {:.2f}", seconds));
    }
}

}  // namespace

void print_multicast_route(Context& context, Printer& printer, DeviceNames& names,
                           const rtmsg& header, const Attributes<RTA_MAX>& route, bool tables) {
    printer.open_object();
    print_addresses(printer, header, route);
    print_input(context, printer, names, route[RTA_IIF]);
    if (const Attribute hops = route[RTA_MULTIPATH]) print_outputs(printer, names, hops.bytes());
    const bool unresolved = (header.rtm_flags & RTNH_F_UNRESOLVED) != 0;
    printer.string("state", " State: ", unresolved ? "unresolved" : "resolved", {});
    if ((header.rtm_flags & RTNH_F_OFFLOAD) != 0) printer.null("offload", " offload");
    if (printer.options().statistics > 0) print_counters(context, printer, route);
    const Attribute named = route[RTA_TABLE];
    const uint32_t table = named ? named.u32() : header.rtm_table;
    if (tables && (table != RT_TABLE_MAIN || printer.options().details > 0)) {
        printer.string(
            "table", " Table: ",
            format_name(context.names, NameKind::table, table, printer.options().numeric), {});
    }
    printer.text("\n");
    printer.close_object();
}

ExitStatus run(Context& context, const Options& options, const MrouteShow& request) {
    Channel& channel = TRY(open_channel(context, options));
    const uint32_t input = TRY(find_wanted_device(context, options, channel, request.device));
    Message message(
        RTM_GETROUTE, 0,
        of_family<rtmsg>(options.family == AF_INET6 ? RTNL_FAMILY_IP6MR : RTNL_FAMILY_IPMR));
    if (request.table) message.put_u32(RTA_TABLE, *request.table);
    Printer printer(*context.out, options);
    DeviceNames names(channel);
    printer.begin_document();
    bool others = false;
    const Verdict verdict = channel.dump(message, [&](const nlmsghdr& answer) {
        const auto* told = family_header<rtmsg>(answer);
        if (answer.nlmsg_type != RTM_NEWROUTE || told == nullptr) return true;
        // A kernel without multicast routing answers with other routes.
        others |= told->rtm_type != RTN_MULTICAST;
        if (others) return false;
        const Attributes<RTA_MAX> route(attribute_bytes<rtmsg>(answer));
        if (input != 0 && route[RTA_IIF].u32() != input) return true;
        print_multicast_route(context, printer, names, *told, route, !request.table);
        return printer.flush_if_large();
    });
    if (others) {
        if (context.fall_back("mroute: no multicast route")) return 1;
        print_error(context,
                    "Non multicast route received, kernel does support IP multicast?\n"
                    "Dump terminated\n");
        printer.end_document();
        return 1;
    }
    // The document ends even after an error.
    const bool failed = dump_failed(context, printer, verdict);
    printer.end_document();
    return failed ? 1 : 0;
}

}  // namespace nlsh
