#include "parser/ip/route/route.h"
#include "parser/ip/refusal.h"

#include <sys/socket.h>

#include "parser/ip/command.h"
#include "parser/ip/route/change.h"
#include "parser/ip/route/query.h"

namespace nlsh {

namespace {

template <typename Value>
Parsed<ObjectResult> result(Parsed<Value> request, const char* verb, bool read_only) {
    if (!request) return std::unexpected(std::move(request.error()));
    return ObjectResult{.request = *std::move(request), .verb = verb, .read_only = read_only};
}

constexpr const char* verb_name(RouteVerb verb) {
    constexpr const char* names[] = {"add",    "change", "replace", "prepend",
                                     "append", "test",   "del"};
    return names[static_cast<size_t>(verb)];
}

template <RouteVerb V>
Parsed<ObjectResult> change(ParseContext& context, Arguments arguments) {
    return result(parse_route_change(V, context, arguments), verb_name(V), false);
}

Parsed<ObjectResult> show(ParseContext& context, Arguments arguments) {
    return result(parse_route_show(context, arguments), "show", true);
}

Parsed<ObjectResult> flush(ParseContext& context, Arguments arguments) {
    if (arguments.empty()) return refused("\"ip route flush\" requires arguments.\n", 1);
    if (context.options.statistics > 0) return declined("route flush: statistics");
    auto routes = parse_route_show(context, arguments);
    if (!routes) return std::unexpected(routes.error());
    if (routes->cloned) return declined("route flush: the cache");
    return ObjectResult{RouteFlush{*std::move(routes)}, "flush", false};
}

Parsed<ObjectResult> get(ParseContext& context, Arguments arguments) {
    // The kernel answers with what its memory happened to hold for a TOS.
    auto request = parse_route_get(context, arguments);
    if (request && context.options.family == AF_MPLS) return declined("route get of a label");
    return result(std::move(request), "get", true);
}

Parsed<ObjectResult> not_native(ParseContext&, Arguments) {
    return declined("route: not a native verb");
}

// In iproute2's order.
constexpr Verb verbs[] = {
    {"add", change<RouteVerb::add>},
    {"change", change<RouteVerb::change>},
    {"chg", change<RouteVerb::change>, true},
    {"replace", change<RouteVerb::replace>},
    {"prepend", change<RouteVerb::prepend>},
    {"append", change<RouteVerb::append>},
    {"test", change<RouteVerb::test>},
    {"delete", change<RouteVerb::remove>},
    {"list", show},
    {"show", show},
    {"lst", show},
    {"get", get},
    {"flush", flush},
    {"save", not_native},
    {"restore", not_native},
    {"showdump", not_native},
};

}  // namespace

Parsed<ObjectResult> parse_route(ParseContext& context, Arguments arguments) {
    const uint8_t family = context.options.family;
    if (family == AF_PACKET) {
        return declined("route: a family of its own");
    }
    return parse_verb(context, arguments, verbs, show);
}

}  // namespace nlsh
