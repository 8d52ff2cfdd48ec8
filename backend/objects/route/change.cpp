// `ip route add|change|replace|prepend|append|test|del`.
#include <sys/socket.h>

#include "backend/echo/echo.h"
#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/objects/route/encap_request.h"
#include "backend/objects/route/lookup.h"
#include "backend/objects/route/words/route.h"
#include "backend/run.h"

namespace nlsh {
namespace {

int cannot_parse_nexthop(Context& context, const Options& options, std::string_view device) {
    cannot_find_device(context, options, device);
    print_error(context, "Error: cannot parse nexthop\n");
    return 255;
}

// A request's names, resolved to numbers.
struct Resolved {
    uint32_t table = 0;
    uint32_t device = 0;  // 0: none
    RouteEncap encap = {};
    std::vector<uint32_t> nexthop_devices = {};
};

// Looks up names in iproute2's order: the vrf or an encapsulation's devices, the device, the
// nexthops' devices. Returns the status of the first failure.
std::expected<Resolved, int> resolve(Context& context, const Options& options, Channel& channel,
                                     const RouteChange& route) {
    Resolved resolved{.table = route.table};
    if (!route.vrf.empty()) {
        resolved.table = find_route_table(channel, route.vrf);
        if (resolved.table == 0) return std::unexpected(invalid_vrf(context, route.vrf));
    }
    resolved.encap = TRY(resolve_encap(context, options, channel, route.encap));
    resolved.device = TRY(find_wanted_device(context, options, channel, route.device));
    for (const RouteNexthop& nexthop : route.nexthops) {
        resolved.nexthop_devices.push_back(TRY(
            find_wanted_device(context, options, channel, nexthop.device, cannot_parse_nexthop)));
    }
    return resolved;
}

rtmsg header_of(const RouteChange& route, const Resolved& resolved) {
    auto header = of_family<rtmsg>(route.family);
    header.rtm_dst_len = route.destination.bits;
    header.rtm_src_len = route.source ? route.source->bits : uint8_t{0};
    header.rtm_tos = route.tos;
    // Tables above 255 go into RTA_TABLE.
    header.rtm_table = resolved.table < 256 ? static_cast<uint8_t>(resolved.table) : uint8_t{0};
    header.rtm_protocol = route.protocol;
    header.rtm_scope = route.scope;
    header.rtm_type = route.type;
    header.rtm_flags = route.flags;
    return header;
}

// Puts RTA_GATEWAY, or RTA_VIA if the address has another family than the route.
void put_gateway(Message& message, uint8_t family, const InetPrefix& via) {
    if (via.family == family) return message.put(RTA_GATEWAY, via.span());
    std::array<uint8_t, sizeof(rtvia) + 16> value{};
    const uint16_t via_family = via.family;
    std::memcpy(value.data(), &via_family, sizeof via_family);
    std::memcpy(value.data() + sizeof(rtvia), via.bytes.data(), via.size);
    message.put(RTA_VIA, value.data(), sizeof(rtvia) + via.size);
}

void put_metrics(Message& message, const RouteMetrics& metrics) {
    if (metrics.empty()) return;
    const size_t nest = message.begin_nest(RTA_METRICS);
    for (uint16_t number = 0; number <= RTAX_MAX; ++number) {
        if (metrics.values[number]) message.put_u32(number, *metrics.values[number]);
    }
    if (!metrics.congestion.empty()) message.put_bytes(RTAX_CC_ALGO, metrics.congestion);
    if (metrics.locked != 0) message.put_u32(RTAX_LOCK, metrics.locked);
    message.end_nest(nest);
}

void put_attributes(Message& message, const FieldValues& attributes) {
    for (const auto& [type, bytes] : attributes)
        message.put_bytes(type, bytes);
}

void put_nexthops(Message& message, const RouteChange& route, const Resolved& resolved) {
    if (route.nexthops.empty()) return;
    const size_t nest = message.begin_nest(RTA_MULTIPATH);
    for (size_t i = 0; i < route.nexthops.size(); ++i) {
        const RouteNexthop& nexthop = route.nexthops[i];
        rtnexthop header{};
        header.rtnh_flags = nexthop.flags;
        header.rtnh_hops = nexthop.weight_minus_1;
        header.rtnh_ifindex = static_cast<int>(resolved.nexthop_devices[i]);
        const size_t start = message.append(&header, sizeof header);
        if (nexthop.via) put_gateway(message, route.family, *nexthop.via);
        if (!nexthop.labels.empty()) message.put_bytes(RTA_NEWDST, nexthop.labels);
        put_attributes(message, nexthop.attributes);
        put_encap(message, route_encap, nexthop.encap);
        if (message.overflow()) return;
        message.at<rtnexthop>(start)->rtnh_len = static_cast<uint16_t>(message.size() - start);
    }
    message.end_nest(nest);
}

Message message_of(const RouteChange& route, const Resolved& resolved) {
    Message message(route.verb == ChangeVerb::remove ? RTM_DELROUTE : RTM_NEWROUTE,
                    flags_of(route.verb), header_of(route, resolved));
    if (route.destination.size != 0) message.put(RTA_DST, route.destination.span());
    if (!route.labels.empty()) message.put_bytes(RTA_NEWDST, route.labels);
    if (route.source && route.source->size != 0) message.put(RTA_SRC, route.source->span());
    if (route.via) put_gateway(message, route.family, *route.via);
    if (route.preferred_source) message.put(RTA_PREFSRC, route.preferred_source->span());
    if (resolved.table >= 256) message.put_u32(RTA_TABLE, resolved.table);
    put_attributes(message, route.attributes);
    put_encap(message, route_encap, resolved.encap);
    if (resolved.device != 0) message.put_u32(RTA_OIF, resolved.device);
    put_metrics(message, route.metrics);
    put_nexthops(message, route, resolved);
    return message;
}

}  // namespace

ExitStatus run(Context& context, const Options& options, const RouteChange& route) {
    Channel& channel = TRY(open_channel(context, options));
    Message message = message_of(route, TRY(resolve(context, options, channel, route)));
    if (message.overflow() && context.fall_back("a route larger than a message")) return 255;
    return send_change(context, options, channel, message);
}

}  // namespace nlsh
