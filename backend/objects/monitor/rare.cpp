#include <fmt/format.h>
#include <linux/if_bridge.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <sys/socket.h>

#include "backend/objects/bridge/fdb_entry.h"
#include "backend/objects/bridge/port.h"
#include "backend/objects/bridge/vlan/query.h"
#include "backend/objects/bridge/vni_entries.h"
#include "backend/objects/monitor/monitor.h"
#include "backend/objects/mroute/mroute.h"
#include "backend/objects/stats/counters.h"
#include "backend/render/format.h"

namespace nlsh {
namespace {

// include/net/if_inet6.h; rtnetlink carries it in prefixmsg.prefix_flags.
constexpr uint8_t prefix_onlink = 1;
constexpr uint8_t prefix_autoconf = 2;

}  // namespace

// Any family: messages of ports are among them.
void MonitorPrinter::port(const nlmsghdr& message) {
    const auto* header = family_header<ifinfomsg>(message);
    if (header == nullptr) return;
    if (message.nlmsg_type == RTM_DELLINK) printer_.text("Deleted ");
    const bool lower_down = links_.lower_is_down(LinkAttributes(message, LinkView::monitor));
    print_port(context_, printer_, links_.names(), *header,
               Attributes<IFLA_MAX>(attribute_bytes<ifinfomsg>(message)), lower_down);
}

void MonitorPrinter::fdb(const nlmsghdr& message) {
    const auto* header = family_header<ndmsg>(message);
    if (header == nullptr) return;
    const Attributes<NDA_MAX> attributes(attribute_bytes<ndmsg>(message));
    print_fdb_entry(context_, printer_, links_.names(), *header, attributes, true);
}

void MonitorPrinter::mdb(const nlmsghdr& message) {
    const auto* header = family_header<br_port_msg>(message);
    if (header == nullptr) return;
    groups_.print_event(header->ifindex,
                        Attributes<MDBA_MAX>(attribute_bytes<br_port_msg>(message)),
                        message.nlmsg_type == RTM_DELMDB);
}

void MonitorPrinter::vlan(const nlmsghdr& message) {
    const auto* header = family_header<br_vlan_msg>(message);
    if (header == nullptr) return;
    const VlanQuery query{.context = context_, .options = printer_.options(), .channel = channel_};
    VlanRows rows(printer_, {}, "vlans");
    const std::string_view name = links_.names().name(header->ifindex);
    for (const Attribute entry : AttributeRange(attribute_bytes<br_vlan_msg>(message))) {
        if (entry.type() == BRIDGE_VLANDB_ENTRY) {
            print_vlan_options(query, printer_, rows, name, entry);
        } else if (entry.type() == BRIDGE_VLANDB_GLOBAL_OPTIONS) {
            print_global_options(query, printer_, rows, name, entry);
        }
    }
}

void MonitorPrinter::vni(const nlmsghdr& message) {
    const auto* header = family_header<tunnel_msg>(message);
    if (header == nullptr) return;
    print_vnis(context_, printer_, links_.names().name(header->ifindex),
               attribute_bytes<tunnel_msg>(message));
}

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
