#include "backend/objects/route/query.h"

#include "backend/objects/route/lookup.h"
#include "parser/try.h"

namespace nlsh {

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
    const auto devices = TRY(find_route_devices(context, options, channel, show.iif, show.oif));
    const bool hops = devices.oif != 0 && context.has(options, Trait::route_devices_of_hops);
    if (context.fallback) return std::unexpected(2);
    return RouteFilter(resolved, table, devices.oif, devices.iif, hops);
}

Message route_dump(const RouteFilter& filter) {
    rtmsg header{};
    header.rtm_family = filter.show().family;
    header.rtm_protocol = filter.show().protocol.value_or(0);
    if (filter.show().cloned) header.rtm_flags |= RTM_F_CLONED;
    Message message(RTM_GETROUTE, 0, header);
    if (filter.table() != 0) message.put_u32(RTA_TABLE, filter.table());
    if (filter.oif() != 0) message.put_u32(RTA_OIF, filter.oif());
    return message;
}

}  // namespace nlsh
