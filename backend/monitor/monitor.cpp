// ip monitor and bridge monitor: prints what the kernel tells of, for ever.
#include "backend/monitor/monitor.h"

#include <fmt/format.h>
#include <linux/net_namespace.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>

#include "backend/bridge/fdb_entry.h"
#include "backend/errors.h"
#include "backend/monitor/groups.h"
#include "backend/net/listener.h"
#include "backend/netconf/render.h"
#include "backend/run.h"

namespace nlsh {
namespace {

// The kernel's names of namespaces are numbers; the real one looks for names in /run/netns.
bool any_named_namespace() {
    std::error_code error;
    const std::filesystem::directory_iterator entries("/run/netns", error);
    return !error && entries != std::filesystem::directory_iterator{};
}

// 1: in words; 2: ISO 8601.
std::string timestamp(uint8_t form) {
    timeval now;
    gettimeofday(&now, nullptr);
    tm local;
    localtime_r(&now.tv_sec, &local);
    char text[64];
    if (form == 1) {
        strftime(text, sizeof text, "%a %b %e %H:%M:%S %Y", &local);
        return fmt::format("Timestamp: {} {} usec\n", text, now.tv_usec);
    }
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &local);
    return fmt::format("[{}.{:06}] ", text, now.tv_usec);
}

// Of a neighbour; 0 when the message is broken.
uint8_t family_of(const nlmsghdr& message) {
    const auto* header = family_header<ndmsg>(message);
    return header != nullptr ? header->ndm_family : uint8_t{AF_UNSPEC};
}

struct Kind {
    uint16_t created, deleted;  // RTM_*
    uint16_t object;
    std::string_view label;
    void (MonitorPrinter::*print)(const nlmsghdr&);
};

constexpr Kind kinds[] = {
    {RTM_NEWROUTE, RTM_DELROUTE, monitor_route, "[ROUTE]", &MonitorPrinter::route},
    {RTM_NEWLINK, RTM_DELLINK, monitor_link, "[LINK]", &MonitorPrinter::link},
    {RTM_NEWADDR, RTM_DELADDR, monitor_address, "[ADDR]", &MonitorPrinter::address},
    {RTM_NEWNEIGH, RTM_DELNEIGH, monitor_neighbor, "[NEIGH]", &MonitorPrinter::neighbor},
    {RTM_NEWNEIGH, RTM_DELNEIGH, monitor_fdb, "[NEIGH]", &MonitorPrinter::fdb},
    {RTM_NEWRULE, RTM_DELRULE, monitor_rule, "[RULE]", &MonitorPrinter::rule},
    {RTM_NEWNETCONF, RTM_DELNETCONF, monitor_netconf, "[NETCONF]", &MonitorPrinter::netconf},
    {RTM_NEWNSID, RTM_DELNSID, monitor_nsid, "[NSID]", &MonitorPrinter::nsid},
    {RTM_NEWNEXTHOP, RTM_DELNEXTHOP, monitor_nexthop, "[NEXTHOP]", &MonitorPrinter::nexthop},
};

}  // namespace

void MonitorPrinter::print(const nlmsghdr& message) {
    for (const Kind& kind : kinds) {
        const bool deleted = message.nlmsg_type == kind.deleted;
        if ((monitor_.objects & kind.object) == 0) continue;
        if (!deleted && message.nlmsg_type != kind.created) continue;
        if (kind.object == monitor_fdb && family_of(message) != AF_BRIDGE) return;
        const uint8_t family = printer_.options().family;
        if (kind.object == monitor_neighbor && family != AF_UNSPEC && family_of(message) != family)
            return;
        if (printer_.options().timestamp != 0)
            printer_.text(timestamp(printer_.options().timestamp));
        if (monitor_.labels) printer_.text(kind.label);
        // A link says so itself, so that its name is known before.
        if (deleted && kind.object != monitor_link) printer_.text("Deleted ");
        (this->*kind.print)(message);
        printer_.flush();
        return;
    }
}

void MonitorPrinter::link(const nlmsghdr& message) {
    if (message.nlmsg_type == RTM_DELLINK) {
        links_.forget(message);
    } else {
        links_.learn(message);
    }
    links_.print(message);
}

void MonitorPrinter::address(const nlmsghdr& message) {
    const Address address(message);
    if (address.header != nullptr) addresses_.print(address);
}

void MonitorPrinter::route(const nlmsghdr& message) {
    const auto* header = family_header<rtmsg>(message);
    if (header == nullptr) return;
    routes_.print({*header, Attributes<RTA_MAX>(attribute_bytes<rtmsg>(message))});
}

void MonitorPrinter::neighbor(const nlmsghdr& message) {
    const Neighbor neighbor(message);
    if (neighbor.header != nullptr) neighbors_.print(neighbor);
}

void MonitorPrinter::fdb(const nlmsghdr& message) {
    const Attributes<NDA_MAX> attributes(attribute_bytes<ndmsg>(message));
    print_fdb_entry(printer_, links_.names(), *family_header<ndmsg>(message), attributes, true);
}

void MonitorPrinter::rule(const nlmsghdr& message) {
    const Rule rule(message);
    if (rule.header != nullptr) print_rule(printer_, context_.names, rule);
}

void MonitorPrinter::netconf(const nlmsghdr& message) {
    print_netconf(printer_, links_.names(), message);
}

void MonitorPrinter::nsid(const nlmsghdr& message) {
    const Attributes<NETNSA_MAX> attributes(attribute_bytes<rtgenmsg>(message));
    if (const Attribute id = attributes[NETNSA_NSID]) {
        printer_.signed_number("nsid", "nsid ", id.as<int32_t>(), " ");
    }
    printer_.text("\n");
}

void MonitorPrinter::nexthop(const nlmsghdr& message) {
    const auto* header = family_header<nhmsg>(message);
    if (header == nullptr) return;
    nexthops_.print({*header, Attributes<NHA_MAX>(attribute_bytes<nhmsg>(message))});
}

int run(Context& context, const Options& options, const Monitor& monitor) {
    if (any_named_namespace() && context.hand_over("monitor: names of namespaces")) return 1;
    const auto channel = context.session.rtnl();
    if (!channel) return cannot_open_socket(context, channel.error());
    // First the socket, then the names: nothing is missed in between.
    auto listener = Listener::open(monitor_groups(monitor.objects, options.family));
    if (!listener) {
        if (context.hand_over("monitor: no socket")) return 1;
        return cannot_open_socket(context, listener.error());
    }
    MonitorPrinter printer(context, options, **channel, monitor);
    printer.learn_links();
    context.commit();  // what comes is printed as it comes
    for (;;) {
        const auto heard = listener->wait([&](const nlmsghdr& message) {
            printer.print(message);
            return true;
        });
        if (heard) continue;
        print_error(context, fmt::format("netlink receive error {} ({})\n", strerror(heard.error()),
                                         heard.error()));
        if (heard.error() != ENOBUFS) return 2;
    }
}

void MonitorPrinter::learn_links() {
    ifinfomsg header{};
    Message request(RTM_GETLINK, 0, header);
    request.put_u32(IFLA_EXT_MASK, RTEXT_FILTER_VF | RTEXT_FILTER_SKIP_STATS);
    channel_.dump(request, [&](const nlmsghdr& message) {
        links_.learn(message);
        return true;
    });
}

}  // namespace nlsh
