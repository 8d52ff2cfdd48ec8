// `ip route show`.
#include <sys/socket.h>

#include <cerrno>

#include "backend/errors.h"
#include "backend/route/lookup.h"
#include "backend/route/print.h"
#include "backend/run.h"

namespace nlsh {

namespace {

// Lookups in iproute2's order; the status of the first that fails.
std::expected<RouteFilter, int> resolve(Context& context, Channel& channel, const RouteShow& show) {
    RouteShow resolved = show;
    uint32_t table = show.table;
    if (!show.vrf.empty()) {
        table = find_vrf_table(channel, show.vrf);
        if (table == 0) return std::unexpected(invalid_vrf(context, show.vrf));
        // A vrf's table also holds what the kernel keeps in `local` otherwise.
        if (resolved.type_mask == 0) {
            resolved.type_mask = ~(1U << RTN_LOCAL | 1U << RTN_BROADCAST);
        }
    }
    const auto devices = find_route_devices(context, channel, show.iif, show.oif);
    if (!devices) return std::unexpected(devices.error());
    return RouteFilter(resolved, table, devices->oif, devices->iif);
}

// The dump, with the filters that the kernel knows.
Message request_of(const RouteFilter& filter) {
    rtmsg header{};
    header.rtm_family = filter.show().family;
    header.rtm_protocol = filter.show().protocol.value_or(0);
    if (filter.show().cloned) header.rtm_flags |= RTM_F_CLONED;
    Message message(RTM_GETROUTE, 0, header);
    if (filter.table() != 0) message.put_u32(RTA_TABLE, filter.table());
    if (filter.oif() != 0) message.put_u32(RTA_OIF, filter.oif());
    return message;
}

}  // namespace

int run(Context& context, const Options& options, const RouteShow& show) {
    const auto channel = options.batch ? context.session.loose() : context.session.rtnl();
    if (!channel) return cannot_open_socket(context, channel.error());
    auto filter = resolve(context, **channel, show);
    if (!filter) return filter.error();

    Message message = request_of(*filter);
    Printer printer(*context.out, options);
    RoutePrinter routes(context, **channel, printer, *filter);
    printer.begin_document();
    Verdict verdict = (*channel)->dump(message, [&](const nlmsghdr& answer) {
        const auto* header = family_header<rtmsg>(answer);
        if (answer.nlmsg_type != RTM_NEWROUTE || header == nullptr) return true;
        const Route route{*header, Attributes<RTA_MAX>(attribute_bytes<rtmsg>(answer))};
        if (!filter->passes(route)) return true;
        return routes.print(route) && printer.flush_if_large();
    });
    if (context.handover) return 2;
    // A namespace without IPv4 routes has no main table yet: that is an empty one.
    if (verdict.error == ENOENT && filter->table() == RT_TABLE_MAIN) verdict = {};
    if (!verdict.ok()) printer.flush();
    if (!print_dump_verdict(context, verdict)) {
        print_error(context, "Dump terminated\n");
        return 2;
    }
    printer.end_document();
    return 0;
}

}  // namespace nlsh
