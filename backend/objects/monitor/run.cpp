// ip monitor and bridge monitor: prints the kernel's notifications without end, or those in a file.
#include <fmt/format.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <vector>

#include "backend/descriptor.h"
#include "backend/errors.h"
#include "backend/net/listener.h"
#include "backend/objects/monitor/monitor.h"
#include "backend/run.h"
#include "parser/ip/newer_kernel.h"

namespace nlsh {
namespace {

// A multicast group of rtnetlink(7).
struct Group {
    uint32_t object;
    uint8_t family;  // AF_UNSPEC: for all families
    uint32_t number;
};

constexpr Group groups[] = {
    {monitor_link, AF_UNSPEC, RTNLGRP_LINK},
    {monitor_address, AF_INET, RTNLGRP_IPV4_IFADDR},
    {monitor_address, AF_INET6, RTNLGRP_IPV6_IFADDR},
    {monitor_route, AF_INET, RTNLGRP_IPV4_ROUTE},
    {monitor_route, AF_INET6, RTNLGRP_IPV6_ROUTE},
    {monitor_route, AF_MPLS, RTNLGRP_MPLS_ROUTE},
    {monitor_mroute, AF_INET, RTNLGRP_IPV4_MROUTE},
    {monitor_mroute, AF_INET6, RTNLGRP_IPV6_MROUTE},
    {monitor_prefix, AF_INET6, RTNLGRP_IPV6_PREFIX},
    {monitor_neighbor, AF_UNSPEC, RTNLGRP_NEIGH},
    {monitor_netconf, AF_INET, RTNLGRP_IPV4_NETCONF},
    {monitor_netconf, AF_INET6, RTNLGRP_IPV6_NETCONF},
    {monitor_netconf, AF_MPLS, RTNLGRP_MPLS_NETCONF},
    {monitor_rule, AF_INET, RTNLGRP_IPV4_RULE},
    {monitor_rule, AF_INET6, RTNLGRP_IPV6_RULE},
    {monitor_nsid, AF_UNSPEC, RTNLGRP_NSID},
    {monitor_nexthop, AF_UNSPEC, RTNLGRP_NEXTHOP},
    {monitor_stats, AF_UNSPEC, RTNLGRP_STATS},
    {monitor_fdb, AF_UNSPEC, RTNLGRP_NEIGH},
    {monitor_mdb, AF_UNSPEC, RTNLGRP_MDB},
    {monitor_vlan, AF_UNSPEC, RTNLGRP_BRVLAN},
    {monitor_vni, AF_UNSPEC, RTNLGRP_TUNNEL},
    {monitor_maddress, AF_INET, newer::RTNLGRP_IPV4_MCADDR},
    {monitor_maddress, AF_INET6, newer::RTNLGRP_IPV6_MCADDR},
    {monitor_acaddress, AF_INET6, newer::RTNLGRP_IPV6_ACADDR},
};

// RTNLGRP_* of these MonitorObjects, for `family` (AF_*; AF_UNSPEC: all).
std::vector<uint32_t> monitor_groups(uint32_t objects, uint8_t family) {
    std::vector<uint32_t> numbers;
    for (const Group& group : groups) {
        const bool family_wanted =
            family == AF_UNSPEC || group.family == AF_UNSPEC || group.family == family;
        if ((objects & group.object) != 0 && family_wanted) numbers.push_back(group.number);
    }
    return numbers;
}

using Messages = std::vector<uint32_t>;  // aligned for their headers

// Reads a file that holds only whole messages.
std::optional<Messages> read_messages(const std::string& path) {
    constexpr uint32_t largest = 8192;
    const Descriptor file = open_file(path.c_str());
    struct stat status;
    if (!file || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
    const auto size = static_cast<size_t>(status.st_size);
    Messages messages(size / sizeof(uint32_t));
    if (size % sizeof(uint32_t) != 0) return {};
    if (read(file.get(), messages.data(), size) != status.st_size) return {};
    for (size_t at = 0; at < messages.size();) {
        const size_t rest = size - at * sizeof(uint32_t);
        const uint32_t length = messages[at];
        if (length < NLMSG_HDRLEN || length > largest || NLMSG_ALIGN(length) > rest) return {};
        at += NLMSG_ALIGN(length) / sizeof(uint32_t);
    }
    return messages;
}

int print_file(Context& context, MonitorPrinter& printer, const std::string& path) {
    const auto messages = read_messages(path);
    if (!messages) {
        context.fall_back("monitor: not a file of whole messages");
        return 1;
    }
    for (size_t at = 0; at < messages->size();) {
        const auto& message = *reinterpret_cast<const nlmsghdr*>(messages->data() + at);
        printer.print(message, -1);
        at += NLMSG_ALIGN(message.nlmsg_len) / sizeof(uint32_t);
    }
    return 0;
}

int listen(Context& context, MonitorPrinter& printer, const Options& options,
           const Monitor& monitor) {
    // Open the socket before reading the names, to miss no change in between.
    auto listener =
        Listener::open(monitor_groups(monitor.objects, options.family), monitor.all_namespaces);
    if (!listener) {
        if (context.fall_back("monitor: no socket")) return 1;
        return cannot_open_socket(context, listener.error());
    }
    printer.learn_links();
    const bool names = options.tool == Tool::bridge || printer.learn_namespaces();
    if (!names && context.fall_back("monitor: a name of a namespace that isn't one")) return 1;
    context.commit();  // messages are printed when they arrive
    for (;;) {
        const auto heard = listener->wait([&](const nlmsghdr& message, int32_t nsid) {
            printer.print(message, nsid);
            return true;
        });
        if (heard) continue;
        print_error(context, fmt::format("netlink receive error {} ({})\n", strerror(heard.error()),
                                         heard.error()));
        if (heard.error() != ENOBUFS) return 2;
    }
}

}  // namespace

ExitStatus run(Context& context, const Options& options, const Monitor& monitor) {
    // A monitor can't fall back later.
    if (!options.traits.all_known() && context.fall_back("monitor of other versions")) return 1;
    Channel& channel = TRY(open_channel(context, options));
    uint32_t device = 0;
    if (!monitor.device.empty()) {
        device = find_device(channel, monitor.device);
        if (device == 0 && context.fall_back("monitor: no such device")) return 1;
    }
    MonitorPrinter printer(context, options, channel, monitor, device);
    if (!monitor.file.empty()) return print_file(context, printer, monitor.file);
    return listen(context, printer, options, monitor);
}

}  // namespace nlsh
