// What `ip monitor` prints of objects that no show of ours has: multicast routes, prefixes that
// routers announce, and whether a device counts in hardware.
#include <fmt/format.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "backend/monitor/monitor.h"
#include "backend/render/format.h"
#include "backend/stats/counters.h"

namespace nlsh {
namespace {

// include/net/if_inet6.h; rtnetlink carries it in prefixmsg.prefix_flags.
constexpr uint8_t prefix_onlink = 1;
constexpr uint8_t prefix_autoconf = 2;

uint8_t unicast_family(const rtmsg& header) {
    return header.rtm_family == RTNL_FAMILY_IPMR ? AF_INET : AF_INET6;
}

std::string address_of(const Attribute& address, uint8_t family) {
    return address ? format_address(family, address.bytes()) : "unknown";
}

// The devices that a packet leaves by: NAME, or NAME(ttl N).
void print_out_devices(Printer& printer, DeviceNames& names, Bytes bytes) {
    printer.text("Oifs: ");
    while (bytes.size() >= sizeof(rtnexthop)) {
        rtnexthop hop;
        std::memcpy(&hop, bytes.data(), sizeof hop);
        if (hop.rtnh_len < sizeof hop || hop.rtnh_len > bytes.size()) break;
        printer.string(Color::ifname, {}, {}, names.name(static_cast<uint32_t>(hop.rtnh_ifindex)),
                       {});
        if (hop.rtnh_hops > 1) printer.text(fmt::format("(ttl {})", hop.rtnh_hops));
        printer.text(" ");
        bytes = bytes.subspan(std::min<size_t>(RTNH_ALIGN(hop.rtnh_len), bytes.size()));
    }
}

void print_counters(Printer& printer, const Attributes<RTA_MAX>& route) {
    if (const Attribute counters = route[RTA_MFC_STATS]) {
        const auto counted = counters.as<rta_mfc_stats>();
        printer.line_break();
        printer.text(
            fmt::format("  {} packets, {} bytes", counted.mfcs_packets, counted.mfcs_bytes));
        if (counted.mfcs_wrong_if != 0)
            printer.text(fmt::format(", {} arrived on wrong iif.", counted.mfcs_wrong_if));
    }
    if (const Attribute age = route[RTA_EXPIRES])
        printer.text(fmt::format(", Age {:.2f}", static_cast<double>(age.u64()) / 100));
}

}  // namespace

void MonitorPrinter::multicast_route(const rtmsg& header, const Attributes<RTA_MAX>& route) {
    if (header.rtm_type != RTN_MULTICAST) {
        context_.err->write("Non multicast route received, kernel does support IP multicast?\n");
        return;
    }
    const uint8_t family = unicast_family(header);
    const std::string addresses = fmt::format("({},{})", address_of(route[RTA_SRC], family),
                                              address_of(route[RTA_DST], family));
    printer_.text(fmt::format("{:<32} ", addresses));
    if (const Attribute in = route[RTA_IIF]) {
        printer_.string(Color::ifname, {},
                        "Iif: ", fmt::format("{:<10}", links_.names().name(in.u32())), " ");
    } else {
        printer_.text("Iif: unresolved ");
    }
    if (const Attribute hops = route[RTA_MULTIPATH])
        print_out_devices(printer_, links_.names(), hops.bytes());
    const bool unresolved = (header.rtm_flags & RTNH_F_UNRESOLVED) != 0;
    printer_.text(unresolved ? " State: unresolved" : " State: resolved");
    if ((header.rtm_flags & RTNH_F_OFFLOAD) != 0) printer_.text(" offload");
    if (printer_.options().statistics > 0) print_counters(printer_, route);
    const Attribute named = route[RTA_TABLE];
    const uint32_t table = named ? named.u32() : header.rtm_table;
    if (table != RT_TABLE_MAIN || printer_.options().details > 0) {
        printer_.text(fmt::format(" Table: {}", format_name(context_.names, NameKind::table, table,
                                                            printer_.options().numeric)));
    }
    printer_.text("\n");
}

void MonitorPrinter::prefix(const nlmsghdr& message) {
    const auto* header = family_header<prefixmsg>(message);
    if (header == nullptr) return;
    if (header->prefix_family != AF_INET6) {
        context_.err->write(fmt::format("incorrect protocol family: {}\n", header->prefix_family));
        return;
    }
    const Attributes<PREFIX_MAX> attributes(attribute_bytes<prefixmsg>(message));
    printer_.text("prefix ");
    if (const Attribute address = attributes[PREFIX_ADDRESS]) {
        printer_.text(
            fmt::format("{}/{}", format_address(AF_INET6, address.bytes()), header->prefix_len));
    }
    printer_.text(
        fmt::format("dev {} ", links_.names().name(static_cast<uint32_t>(header->prefix_ifindex))));
    if ((header->prefix_flags & prefix_onlink) != 0) printer_.text("onlink ");
    if ((header->prefix_flags & prefix_autoconf) != 0) printer_.text("autoconf ");
    if (const Attribute times = attributes[PREFIX_CACHEINFO]) {
        const auto cache = times.as<prefix_cacheinfo>();
        printer_.text(
            fmt::format("valid {} preferred {} ", cache.valid_time, cache.preferred_time));
    }
    printer_.text("\n");
}

void MonitorPrinter::statistics(const nlmsghdr& message) {
    const auto* header = family_header<if_stats_msg>(message);
    if (header == nullptr) return;
    printer_.text(fmt::format("{}: {}:", header->ifindex, links_.names().name(header->ifindex)));
    printer_.line_break();
    const Attributes<IFLA_STATS_MAX> groups(attribute_bytes<if_stats_msg>(message));
    const Attributes<IFLA_OFFLOAD_XSTATS_MAX> offloaded(groups[IFLA_STATS_LINK_OFFLOAD_XSTATS]);
    const Attributes<IFLA_OFFLOAD_XSTATS_MAX> suites(offloaded[IFLA_OFFLOAD_XSTATS_HW_S_INFO]);
    const Attribute l3 = suites[IFLA_OFFLOAD_XSTATS_L3_STATS];
    if (!l3) return;
    printer_.text("    l3_stats");
    print_hardware_state(printer_, l3);
    printer_.line_break();
}

}  // namespace nlsh
