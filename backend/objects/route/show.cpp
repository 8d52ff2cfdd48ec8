// `ip route show` and `ip route flush`.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <vector>

#include "backend/descriptor.h"
#include "backend/errors.h"
#include "backend/objects/route/lookup.h"
#include "backend/objects/route/print.h"
#include "backend/run.h"

namespace nlsh {
namespace {

// Looks up names in iproute2's order. Returns the status of the first failure.
std::expected<RouteFilter, int> resolve_routes(Context& context, const Options& options,
                                               Channel& channel, const RouteShow& show) {
    RouteShow resolved = show;
    uint32_t table = show.table;
    if (!show.vrf.empty()) {
        table = find_route_table(channel, show.vrf);
        if (table == 0) return std::unexpected(invalid_vrf(context, show.vrf));
        // A vrf's table also holds the routes that are otherwise in `local`.
        if (resolved.type_mask == 0) {
            resolved.type_mask = ~(1U << RTN_LOCAL | 1U << RTN_BROADCAST);
        }
    }
    const uint32_t iif = TRY(find_wanted_device(context, options, channel, show.iif));
    const uint32_t oif = TRY(find_wanted_device(context, options, channel, show.oif));
    const bool hops = oif != 0 && context.has(options, Trait::route_devices_of_hops);
    if (context.fallback) return std::unexpected(2);
    return RouteFilter(resolved, table, oif, iif, hops);
}

// The dump, with the filters that the kernel has.
Message route_dump(const RouteFilter& filter) {
    auto header = of_family<rtmsg>(filter.show().family);
    header.rtm_protocol = filter.show().protocol.value_or(0);
    if (filter.show().cloned) header.rtm_flags |= RTM_F_CLONED;
    Message message(RTM_GETROUTE, 0, header);
    if (filter.table() != 0) message.put_u32(RTA_TABLE, filter.table());
    if (filter.oif() != 0) message.put_u32(RTA_OIF, filter.oif());
    return message;
}

// iproute2 gives up after this time.
constexpr std::chrono::seconds patience{30};
// iproute2 sends at most this many bytes of deletions at a time, then checks for errors.
constexpr size_t batch_size = 4096 - 512;

// The kernel's own unreachable route, which reappears after a deletion.
bool is_permanent(const Route& route) {
    return route.header.rtm_family == AF_INET6 && route.header.rtm_dst_len == 0 &&
           route.header.rtm_type == RTN_UNREACHABLE && route[RTA_PRIORITY] &&
           route[RTA_PRIORITY].u32() == UINT32_MAX;
}

// Deletes routes until iproute2 would notice an error. Returns the first error.
int remove(Channel& channel, const std::vector<KeptMessage>& routes) {
    size_t sent = 0;
    int error = 0;
    for (const KeptMessage& route : routes) {
        Message message = repeated<rtmsg>(RTM_DELROUTE, *route);
        if (sent + message.size() > batch_size) {
            if (error != 0) break;
            sent = 0;
        }
        sent += message.size();
        const Verdict verdict = channel.change(message);
        if (error == 0) error = verdict.error;
    }
    return error;
}

// Whether iproute2 may miss an error. The kernel refuses to delete a dumped route with a nexthop
// object. iproute2 loses a batch's errors if more of the dump precedes them.
bool may_miss_an_error(const std::vector<KeptMessage>& routes) {
    const auto has_object = [](const KeptMessage& route) {
        return bool(Attributes<RTA_MAX>(attribute_bytes<rtmsg>(*route))[RTA_NH_ID]);
    };
    if (std::ranges::none_of(routes, has_object)) return false;
    size_t size = 0;
    for (const KeptMessage& route : routes)
        size += repeated<rtmsg>(RTM_DELROUTE, *route).size();
    return size > batch_size;
}

// The number of deleted routes, or the exit status.
std::expected<size_t, int> flush_round(Context& context, Channel& channel, RouteFilter& filter) {
    std::vector<KeptMessage> doomed;
    Message request = route_dump(filter);
    const Verdict verdict = channel.dump(request, [&](const nlmsghdr& answer) {
        const auto* header = family_header<rtmsg>(answer);
        if (answer.nlmsg_type != RTM_NEWROUTE || header == nullptr) return true;
        const Route route{*header, Attributes<RTA_MAX>(attribute_bytes<rtmsg>(answer))};
        if (!is_permanent(route) && filter.passes(route)) doomed.emplace_back(answer);
        return true;
    });
    if (!print_dump_verdict(context, verdict)) {
        print_error(context, "Flush terminated\n");
        return std::unexpected(2);
    }
    if (doomed.empty()) return 0;
    if (may_miss_an_error(doomed) && context.fall_back("route flush: a nexthop's routes")) {
        return std::unexpected(1);
    }
    context.commit();
    if (const int error = remove(channel, doomed); error != 0) {
        print_error(context, fmt::format("Failed to send flush request: {}\n", strerror(error)));
        return std::unexpected(2);
    }
    return doomed.size();
}

}  // namespace

ExitStatus run(Context& context, const Options& options, const RouteShow& show) {
    Channel& channel = TRY(open_channel(context, options));
    auto filter = TRY(resolve_routes(context, options, channel, show));

    Message message = route_dump(filter);
    Printer printer(*context.out, options);
    DeviceNames devices(channel);
    RoutePrinter routes(context, devices, printer, filter);
    printer.begin_document();
    Verdict verdict = channel.dump(message, [&](const nlmsghdr& answer) {
        const auto* header = family_header<rtmsg>(answer);
        if (answer.nlmsg_type != RTM_NEWROUTE || header == nullptr) return true;
        const Route route{*header, Attributes<RTA_MAX>(attribute_bytes<rtmsg>(answer))};
        if (!filter.passes(route)) return true;
        return routes.print(route) && printer.flush_if_large();
    });
    if (context.fallback) return 2;
    // A namespace without IPv4 routes has no main table yet; iproute2 shows it as empty.
    const bool no_table = verdict.error == ENOENT && filter.table() == RT_TABLE_MAIN;
    if (no_table && context.has(options, Trait::words_of_5_15)) verdict = {};
    if (!verdict.ok() && printer.text_mode()) printer.flush();
    return end_dump(context, printer, verdict, 2, FailedDump::closed_last);
}

ExitStatus run(Context& context, const Options&, const RouteFlushCache&) {
    constexpr const char* setting = "/proc/sys/net/ipv4/route/flush";
    const Descriptor file(open(setting, O_WRONLY | O_CLOEXEC));
    if (!file) {
        print_error(context, fmt::format("Cannot open \"{}\": {}\n", setting, strerror(errno)));
        return 0;
    }
    const bool written = write(file.get(), "-1", 2) == 2;
    if (!written && context.fall_back("route flush cache: not to be written")) return 1;
    context.commit();
    return 0;
}

ExitStatus run(Context& context, const Options& options, const RouteFlush& request) {
    Channel& channel = TRY(open_channel(context, options));
    auto filter = TRY(resolve_routes(context, options, channel, request.routes));
    const auto start = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - start < patience) {
        if (TRY(flush_round(context, channel, filter)) == 0) return 0;
    }
    context.out->write("\n*** Flush not completed, entries remain ***\n");
    return 1;
}

}  // namespace nlsh
