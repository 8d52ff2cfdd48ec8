#include "backend/objects/monitor/monitor.h"

#include <fmt/format.h>
#include <linux/net_namespace.h>
#include <linux/netconf.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <array>
#include <ctime>
#include <span>

#include "backend/objects/netconf/netconf.h"
#include "parser/ip/newer_kernel.h"

namespace nlsh {
namespace {

std::string words_of_time(time_t time) {
    tm local;
    localtime_r(&time, &local);
    char text[64];
    strftime(text, sizeof text, "%a %b %e %H:%M:%S %Y", &local);
    return text;
}

// 1: in words; 2: ISO 8601.
std::string timestamp(uint8_t form) {
    timeval now;
    gettimeofday(&now, nullptr);
    if (form == 1)
        return fmt::format("Timestamp: {} {} usec\n", words_of_time(now.tv_sec), now.tv_usec);
    tm local;
    localtime_r(&now.tv_sec, &local);
    char text[64];
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &local);
    return fmt::format("[{}.{:06}] ", text, now.tv_usec);
}

// Returns zeros if the message is broken.
template <typename Header>
Header header_of(const nlmsghdr& message) {
    const auto* header = family_header<Header>(message);
    return header != nullptr ? *header : Header{};
}

uint8_t family_of(const nlmsghdr& message) {
    return header_of<rtgenmsg>(message).rtgen_family;
}

bool is_route(const nlmsghdr& message) {
    return message.nlmsg_type == RTM_NEWROUTE || message.nlmsg_type == RTM_DELROUTE;
}

bool is_cached_route(const nlmsghdr& message) {
    return is_route(message) && (header_of<rtmsg>(message).rtm_flags & RTM_F_CLONED) != 0;
}

bool is_multicast_route(const nlmsghdr& message) {
    const uint8_t family = family_of(message);
    return is_route(message) && (family == RTNL_FAMILY_IPMR || family == RTNL_FAMILY_IP6MR);
}

struct Kind {
    uint16_t created, deleted;  // RTM_*
    uint32_t object;
    std::string_view label;
    void (MonitorPrinter::*print)(const nlmsghdr&);
    bool says_deleted = false;  // the printer itself prints "Deleted"
    Trait since = Trait::always;
};

using Printing = MonitorPrinter;
constexpr Kind ip_kinds[] = {
    {RTM_NEWROUTE, RTM_DELROUTE, monitor_route, "[ROUTE]", &Printing::route},
    {RTM_NEWLINK, RTM_DELLINK, monitor_link, "[LINK]", &Printing::link, true},
    {RTM_NEWADDR, RTM_DELADDR, monitor_address, "[ADDR]", &Printing::address},
    {RTM_NEWPREFIX, 0, monitor_prefix, "[PREFIX]", &Printing::prefix},
    {RTM_NEWNEIGH, RTM_DELNEIGH, monitor_neighbor, "[NEIGH]", &Printing::neighbor},
    {RTM_NEWRULE, RTM_DELRULE, monitor_rule, "[RULE]", &Printing::rule},
    {RTM_NEWNETCONF, RTM_DELNETCONF, monitor_netconf, "[NETCONF]", &Printing::netconf},
    {RTM_NEWNSID, RTM_DELNSID, monitor_nsid, "[NSID]", &Printing::nsid},
    {RTM_NEWNEXTHOP, RTM_DELNEXTHOP, monitor_nexthop, "[NEXTHOP]", &Printing::nexthop},
    {RTM_NEWNEXTHOPBUCKET, RTM_DELNEXTHOPBUCKET, monitor_nexthop, "[NEXTHOPBUCKET]",
     &Printing::bucket},
    {RTM_NEWSTATS, 0, monitor_stats, "[STATS]", &Printing::statistics},
    {newer::RTM_NEWMULTICAST, newer::RTM_DELMULTICAST, monitor_maddress, "[ADDR]",
     &Printing::address, false, Trait::monitor_joined_addresses},
    {newer::RTM_NEWANYCAST, newer::RTM_DELANYCAST, monitor_acaddress, "[ADDR]", &Printing::address,
     false, Trait::monitor_joined_addresses},
};
constexpr Kind bridge_kinds[] = {
    {RTM_NEWLINK, RTM_DELLINK, monitor_link, "[LINK]", &Printing::port, true},
    {RTM_NEWNEIGH, RTM_DELNEIGH, monitor_fdb, "[NEIGH]", &Printing::fdb},
    {RTM_NEWMDB, RTM_DELMDB, monitor_mdb, "[MDB]", &Printing::mdb, true},
    {RTM_NEWVLAN, RTM_DELVLAN, monitor_vlan, "[VLAN]", &Printing::vlan},
    {RTM_NEWTUNNEL, RTM_DELTUNNEL, monitor_vni, "[TUNNEL]", &Printing::vni},
};

// A monitor prints every message that arrives, even of objects that weren't asked for.
const Kind* find_kind(Tool tool, const Traits& traits, uint16_t type) {
    const std::span<const Kind> kinds =
        tool == Tool::ip ? std::span<const Kind>(ip_kinds) : bridge_kinds;
    for (const Kind& kind : kinds) {
        if (!traits.has(kind.since)) continue;
        if (type == kind.created || type == kind.deleted) return &kind;
    }
    return nullptr;
}

}  // namespace

bool MonitorPrinter::concerns_device(const nlmsghdr& message) const {
    const auto is_device = [this](auto ifindex) {
        return static_cast<uint32_t>(ifindex) == device_;
    };
    switch (message.nlmsg_type) {
        case RTM_NEWLINK:
        case RTM_DELLINK:
            return is_device(header_of<ifinfomsg>(message).ifi_index);
        case RTM_NEWADDR:
        case RTM_DELADDR:
        case newer::RTM_NEWMULTICAST:
        case newer::RTM_DELMULTICAST:
        case newer::RTM_NEWANYCAST:
        case newer::RTM_DELANYCAST:
            return is_device(header_of<ifaddrmsg>(message).ifa_index);
        case RTM_NEWNEIGH:
        case RTM_DELNEIGH:
            return is_device(header_of<ndmsg>(message).ndm_ifindex);
        case RTM_NEWROUTE:
        case RTM_DELROUTE: {
            const Attributes<RTA_MAX> route(attribute_bytes<rtmsg>(message));
            if (is_multicast_route(message)) return is_device(route[RTA_IIF].u32());
            return filter_.passes_devices({header_of<rtmsg>(message), route});
        }
        case RTM_NEWNETCONF:
        case RTM_DELNETCONF: {
            const Attributes<NETCONFA_MAX> netconf(attribute_bytes<netconfmsg>(message));
            return is_device(netconf[NETCONFA_IFINDEX].u32());
        }
        default:
            return true;
    }
}

void MonitorPrinter::head(std::string_view label, int32_t nsid) {
    if (printer_.options().timestamp != 0) printer_.text(timestamp(printer_.options().timestamp));
    if (monitor_.all_namespaces) {
        printer_.text(nsid < 0 ? "[nsid current]" : fmt::format("[nsid {}]", nsid));
    }
    if (monitor_.labels) printer_.text(label);
}

// Remembers names and flags of links. bridge never updates them.
void MonitorPrinter::track(const nlmsghdr& message) {
    if (printer_.options().tool == Tool::bridge) return;
    if (message.nlmsg_type == RTM_NEWLINK) links_.learn(message);
    if (message.nlmsg_type == RTM_DELLINK) links_.forget(message);
}

// Prints the time that rtmon(8) writes at its start, and messages that iproute2 doesn't know.
void MonitorPrinter::other(const nlmsghdr& message) {
    constexpr uint16_t written_time = 15;  // iproute2's own, below NLMSG_MIN_TYPE
    const uint16_t type = message.nlmsg_type;
    if (type == written_time) {
        const auto at = header_of<std::array<uint32_t, 2>>(message);
        printer_.text(
            fmt::format("Timestamp: {} {} us\n", words_of_time(static_cast<time_t>(at[0])), at[1]));
        printer_.flush();
    } else if (printer_.options().tool == Tool::ip && type > NLMSG_DONE) {
        context_.err->write(fmt::format(
            "Unknown message: type=0x{0:08x}({0}) flags=0x{1:08x}({1}) len=0x{2:08x}({2})\n", type,
            message.nlmsg_flags, message.nlmsg_len));
    }
}

void MonitorPrinter::print(const nlmsghdr& message, int32_t nsid) {
    const Options& options = printer_.options();
    const Kind* kind = find_kind(options.tool, options.traits, message.nlmsg_type);
    if (kind == nullptr) return other(message);
    if (is_cached_route(message)) return;
    track(message);
    if (kind->object == monitor_fdb && family_of(message) != AF_BRIDGE) return;
    if (kind->object == monitor_neighbor && options.family != AF_UNSPEC &&
        family_of(message) != options.family)
        return;
    const bool concerns = device_ == 0 || concerns_device(message);
    if (!concerns && options.traits.has(Trait::monitor_filters_first)) return;
    head(is_multicast_route(message) ? "[MROUTE]" : kind->label, nsid);
    if (concerns) {
        if (message.nlmsg_type == kind->deleted && !kind->says_deleted) printer_.text("Deleted ");
        (this->*kind->print)(message);
    }
    printer_.flush();
}

void MonitorPrinter::link(const nlmsghdr& message) {
    links_.print(message);
}

void MonitorPrinter::address(const nlmsghdr& message) {
    const Address address(message);
    if (address.header != nullptr) addresses_.print(address);
}

void MonitorPrinter::route(const nlmsghdr& message) {
    const auto* header = family_header<rtmsg>(message);
    if (header == nullptr) return;
    const Attributes<RTA_MAX> attributes(attribute_bytes<rtmsg>(message));
    if (is_multicast_route(message)) return multicast_route(*header, attributes);
    routes_.print({*header, attributes});
}

void MonitorPrinter::neighbor(const nlmsghdr& message) {
    const Neighbor neighbor(message);
    if (neighbor.header != nullptr) neighbors_.print(neighbor);
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
    const Attribute id = attributes[NETNSA_NSID];
    if (!id) return;
    const auto number = id.as<int32_t>();
    const bool gone = message.nlmsg_type == RTM_DELNSID;
    if (!gone) links_.namespaces().load();
    printer_.text(fmt::format("nsid {} ", number));
    if (const std::string* name = links_.namespaces().name(number)) {
        printer_.text(fmt::format("(iproute2 netns name: {})", *name));
    }
    printer_.text("\n");
    if (gone) links_.namespaces().forget(number);
}

void MonitorPrinter::nexthop(const nlmsghdr& message) {
    const auto* header = family_header<nhmsg>(message);
    if (header == nullptr) return;
    nexthops_.print({*header, message});
}

void MonitorPrinter::bucket(const nlmsghdr& message) {
    const auto* header = family_header<nhmsg>(message);
    if (header == nullptr) return;
    nexthops_.print_bucket({*header, message});
}

void MonitorPrinter::learn_links() {
    Message request(RTM_GETLINK, 0, ifinfomsg{});
    request.put_u32(IFLA_EXT_MASK, RTEXT_FILTER_VF | RTEXT_FILTER_SKIP_STATS);
    channel_.dump(request, [&](const nlmsghdr& message) {
        links_.learn(message);
        return true;
    });
}

}  // namespace nlsh
