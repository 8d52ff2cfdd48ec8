// The parts of a route after its addresses: flags, realms, cache, metrics, nexthops.
#include <linux/in_route.h>
#include <linux/nexthop.h>
#include <sys/socket.h>

#include <algorithm>

#include "backend/objects/nexthop/render.h"
#include "backend/objects/route/encap.h"
#include "backend/objects/route/print.h"
#include "backend/render/format.h"
#include "backend/render/route_flags.h"

namespace nlsh {
namespace {

struct Flag {
    uint32_t bit;
    std::string_view word;
};

// For IPv4's cached routes; the kernel no longer sends the rest of RTCF_*.
constexpr Flag cache_flags[] = {
    {RTCF_LOCAL, "local"},
    {RTCF_MULTICAST, "mc"},
    {RTCF_BROADCAST, "brd"},
    {RTCF_NOTIFY, "notify"},
};
constexpr uint32_t known_cache_flags = [] {
    uint32_t bits = 0;
    for (const Flag& flag : cache_flags)
        bits |= flag.bit;
    return bits;
}();

void print_time(Printer& printer, std::string_view name, uint32_t milliseconds) {
    if (printer.json()) return printer.json_number(name, milliseconds);
    if (milliseconds >= 1000) {
        printer.floating(name, "", milliseconds / 1000.0, "s ");
    } else {
        printer.number(name, "", milliseconds, "ms ");
    }
}

}  // namespace

const nlmsghdr* NexthopObjects::find(uint32_t id) {
    const auto [place, fresh] = known_.try_emplace(id);
    auto& message = place->second;
    if (fresh) {
        const auto channel = options_.batch ? context_.session.rtnl() : context_.session.loose();
        if (!channel) {
            context_.fall_back("nexthops: no second socket");
            return nullptr;
        }
        Message request(RTM_GETNEXTHOP, 0, nhmsg{});
        request.put_u32(NHA_ID, id);
        put_nexthop_statistics(request, options_, true);
        (*channel)->get(request, [&](const nlmsghdr& answer) {
            if (answer.nlmsg_type == RTM_NEWNEXTHOP) message.emplace(answer);
            return true;
        });
    }
    return message ? &**message : nullptr;
}

void RoutePrinter::print_realms(uint32_t realms) {
    const uint32_t from = realms >> 16;
    const uint32_t to = realms & 0xffff;
    printer_.open_object("flow");
    printer_.text(from != 0 ? "realms " : "realm ");
    if (from != 0) {
        printer_.string(
            "from", "",
            format_name(context_.names, NameKind::realm, from, printer_.options().numeric), "/");
    }
    print_name("to", "", NameKind::realm, to);
    printer_.close_object();
}

void RoutePrinter::print_cache_flags(uint32_t flags) {
    flags &= ~0xffffU;
    if ((flags & ~known_cache_flags) != 0) context_.fall_back("flags of a cached route");
    std::string_view before = "<";
    printer_.open_array("cache");
    for (const Flag& flag : cache_flags) {
        if ((flags & flag.bit) == 0) continue;
        printer_.string("", before, flag.word, "");
        before = ",";
    }
    printer_.close_array();
    if (before == ",") printer_.text("> ");
}

void RoutePrinter::print_times(const rta_cacheinfo& cache) {
    constexpr uint32_t ticks = 100;  // USER_HZ
    if (cache.rta_expires != 0) {
        printer_.signed_number("expires", "expires ", cache.rta_expires / int32_t{ticks}, "sec ");
    }
    if (printer_.options().statistics == 0) return;
    if (cache.rta_clntref != 0) printer_.number("users", "users ", cache.rta_clntref, " ");
    if (cache.rta_used != 0) printer_.number("used", "used ", cache.rta_used, " ");
    if (cache.rta_lastuse != 0) printer_.number("age", "age ", cache.rta_lastuse / ticks, "sec ");
}

void RoutePrinter::print_cache(const Route& route) {
    if ((route.header.rtm_flags & RTM_F_CLONED) != 0) {
        printer_.line_break();
        printer_.text("    cache ");
        print_cache_flags(route.header.rtm_flags);
    } else if (route.header.rtm_family != AF_INET6) {
        return;
    }
    if (route[RTA_CACHEINFO]) print_times(route[RTA_CACHEINFO].as<rta_cacheinfo>());
}

void RoutePrinter::print_metric(const RouteMetric& row, Attribute metric, bool locked) {
    if (row.form == MetricForm::hop_limit && metric.u32() == UINT32_MAX) return;
    printer_.text(row.word);
    printer_.text(locked ? " lock " : " ");
    if (row.form == MetricForm::congestion) {
        if (!metric) context_.fall_back("a locked congestion control without a name");
        printer_.string("congestion", "", metric.string(), " ");
    } else if (row.form == MetricForm::features) {
        if (metric.u32() != RTAX_FEATURE_ECN) context_.fall_back("features of a route");
        printer_.null("ecn", "ecn ");
    } else if (const uint32_t units = units_per_millisecond(row.form); units != 0) {
        print_time(printer_, row.word, metric.u32() / units);
    } else {
        printer_.number(row.word, "", metric.u32(), " ");
    }
}

// The kernel omits a metric of 0, but reports if it is locked.
void RoutePrinter::print_metrics(Attribute nest) {
    const Attributes<RTAX_MAX> metrics(nest);
    const uint32_t locked = metrics[RTAX_LOCK] ? metrics[RTAX_LOCK].u32() : 0;
    printer_.open_array("metrics");
    printer_.open_object();
    for (size_t number = RTAX_LOCK + 1; number <= RTAX_MAX; ++number) {
        const auto* const row = std::ranges::find(route_metrics, number, &RouteMetric::number);
        const bool is_locked = (locked >> number & 1) != 0;
        if ((!metrics[number] && !is_locked) || row == std::end(route_metrics)) continue;
        print_metric(*row, metrics[number], is_locked);
    }
    printer_.close_object();
    printer_.close_array();
}

void RoutePrinter::print_nexthop(uint8_t family, const rtnexthop& header, Bytes bytes) {
    const Attributes<RTA_MAX> attributes(bytes);
    if (!can_print_encap(attributes[RTA_ENCAP_TYPE], attributes[RTA_ENCAP]) ||
        (attributes[RTA_NEWDST] && family != AF_MPLS)) {
        context_.fall_back("a nexthop with encap");
    }
    printer_.open_object();
    printer_.line_break();
    printer_.text("\tnexthop ");
    print_encap({context_, printer_, devices_}, attributes[RTA_ENCAP_TYPE], attributes[RTA_ENCAP]);
    if (attributes[RTA_NEWDST]) print_labels(attributes[RTA_NEWDST]);
    if (attributes[RTA_GATEWAY])
        printer_.address("gateway", "via ", family, attributes[RTA_GATEWAY].bytes(), " ");
    if (attributes[RTA_VIA]) print_via(attributes[RTA_VIA]);
    if (attributes[RTA_FLOW]) print_realms(attributes[RTA_FLOW].u32());
    if (header.rtnh_ifindex != 0)
        print_device(Color::none, static_cast<uint32_t>(header.rtnh_ifindex));
    if (family != AF_MPLS) printer_.number("weight", "weight ", header.rtnh_hops + 1U, " ");
    print_route_flags(context_, printer_, header.rtnh_flags);
    printer_.close_object();
}

// Prints the nexthop object of a route on its own line, even with -oneline.
void RoutePrinter::print_object(uint32_t id) {
    if (!context_.has(printer_.options(), Trait::nexthop_statistics) && context_.fallback) return;
    const nlmsghdr* message = objects_.find(id);
    const auto* header = message == nullptr ? nullptr : family_header<nhmsg>(*message);
    if (header == nullptr) {
        context_.fall_back("details of a nexthop object");
        return;
    }
    printer_.open_object("nh_info");
    printer_.text("\n\tnh_info ");
    NexthopPrinter(context_, devices_, printer_).print_fields({*header, *message});
    printer_.close_object();
}

void RoutePrinter::print_nexthops(const Route& route) {
    Bytes rest = route[RTA_MULTIPATH].bytes();
    printer_.open_array("nexthops");
    while (rest.size() >= sizeof(rtnexthop)) {
        rtnexthop header;
        std::memcpy(&header, rest.data(), sizeof header);
        if (header.rtnh_len < sizeof header || header.rtnh_len > rest.size()) break;
        print_nexthop(route.header.rtm_family, header,
                      rest.subspan(sizeof header, header.rtnh_len - sizeof header));
        rest = rest.subspan(std::min<size_t>(RTNH_ALIGN(header.rtnh_len), rest.size()));
    }
    printer_.close_array();
}

}  // namespace nlsh
