// `ip monitor` for objects that nlsh has no show of: multicast routes, prefixes from routers, and
// whether a device counts in hardware.
#include <fmt/format.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <sys/socket.h>

#include "backend/objects/monitor/monitor.h"
#include "backend/objects/mroute/print.h"
#include "backend/objects/stats/counters.h"
#include "backend/render/format.h"

namespace nlsh {
namespace {

// include/net/if_inet6.h; rtnetlink carries it in prefixmsg.prefix_flags.
constexpr uint8_t prefix_onlink = 1;
constexpr uint8_t prefix_autoconf = 2;

}  // namespace

void MonitorPrinter::multicast_route(const rtmsg& header, const Attributes<RTA_MAX>& route) {
    if (header.rtm_type != RTN_MULTICAST) {
        context_.err->write("Non multicast route received, kernel does support IP multicast?\n");
        return;
    }
    print_multicast_route(context_, printer_, links_.names(), header, route, true);
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
        printer_.text(fmt::format("{}/{}", format_address(AF_INET6, address.bytes()).view(),
                                  header->prefix_len));
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
