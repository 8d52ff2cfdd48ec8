#include "backend/objects/route/words/route.h"
#include "parser/ip/refusal.h"

#include <sys/socket.h>

#include "parser/ip/command.h"
#include "parser/try.h"

namespace nlsh {

namespace {

template <ChangeVerb V>
Parsed<Request> change(ParseContext& context, Arguments arguments) {
    return TRY(parse_route_change(V, context, arguments));
}

Parsed<Request> show(ParseContext& context, Arguments arguments) {
    RouteShow routes = TRY(parse_route_show(context, arguments));
    // In a batch, what iproute2 has learnt about IPv6 tables affects later lines.
    if (routes.family != AF_INET) context.is.not_in_batch = "of IPv6 leaves its tables";
    return routes;
}

Parsed<Request> flush(ParseContext& context, Arguments arguments) {
    if (arguments.empty()) return refused("\"ip route flush\" requires arguments.\n", 1);
    if (context.options.statistics > 0) return declined("route flush: statistics");
    const Words words = arguments.rest();
    const bool cache = words.size() == 1 || (words.size() == 2 && words[1] == "cache");
    RouteShow routes = TRY(parse_route_show(context, arguments));
    if (routes.cloned && (!cache || context.options.family == AF_INET6))
        return declined("route flush: the cache of IPv6, or a part");
    if (routes.cloned) return RouteFlushCache{};
    return RouteFlush{std::move(routes)};
}

Parsed<Request> get(ParseContext& context, Arguments arguments) {
    return TRY(parse_route_get(context, arguments));
}

constexpr VerbProperties changes{.queued = true};

constexpr Verb verbs[] = {
    {.words = {"add"}, .parse = change<ChangeVerb::add>, .is = changes},
    {.words = {"change", "chg"}, .parse = change<ChangeVerb::change>, .is = changes},
    {.words = {"replace"}, .parse = change<ChangeVerb::replace>, .is = changes},
    {.words = {"prepend"}, .parse = change<ChangeVerb::prepend>, .is = changes},
    {.words = {"append"}, .parse = change<ChangeVerb::append>, .is = changes},
    {.words = {"test"}, .parse = change<ChangeVerb::test>, .is = changes},
    {.words = {"delete"}, .parse = change<ChangeVerb::remove>, .name = "del", .is = changes},
    {.words = {"show", "list", "lst"}, .parse = show, .is = shows},
    {.words = {"get"}, .parse = get, .is = shows},
    {.words = {"flush"}, .parse = flush, .is = flushes},
    {.words = {"save", "restore", "showdump"}},
};

Parsed<Request> parse_route(ParseContext& context, Arguments arguments) {
    if (context.options.family == AF_PACKET) return declined("route: a family of its own");
    return parse_verb({verbs}, context, arguments);
}

}  // namespace

const Object route_object{
    .words = {"route"}, .name = "route", .parse = parse_route, .labels = true};

}  // namespace nlsh
