#include "backend/objects/route/words/route.h"

#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include "backend/objects/route/words/values.h"
#include "parser/ip/command.h"
#include "parser/ip/keywords.h"
#include "parser/ip/refusal.h"
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

struct Draft : RouteGet {
    explicit Draft(const NameTables& tables) : names(tables) {}

    const NameTables& names;
};

Parsed<void> take_ip_protocol(Draft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("route get"));
    if (word == "tcp" || word == "udp") {
        const auto known = draft.names[NameKind::ip_protocol].number(word);
        if (!known) return declined("route get: ipproto");
        draft.ip_protocol = static_cast<uint8_t>(*known);
        return {};
    }
    draft.ip_protocol = TRY(parse_u8(word));
    return {};
}

Parsed<InetPrefix> take_host(Draft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("to"));
    const auto prefix = TRY(parse_route_prefix(word, draft.family));
    // iproute2 warns about shorter prefixes, and reads words for addresses differently.
    const bool whole = prefix.family == AF_MPLS || prefix.bits == prefix.size * 8;
    if (prefix.size == 0 || !whole) return declined("no full address");
    if (draft.family == AF_UNSPEC) draft.family = prefix.family;
    return prefix;
}

Parsed<void> take_source(Draft& draft, Arguments& arguments) {
    if (draft.family == AF_MPLS) return declined("the source of a label");
    const auto prefix = TRY(take_host(draft, arguments));
    draft.source = prefix;
    return {};
}

Parsed<void> take_destination(Draft& draft, Arguments& arguments) {
    const auto prefix = TRY(take_host(draft, arguments));
    draft.destination = prefix;
    return {};
}

Parsed<void> not_native(Draft&, Arguments&) {
    return declined("route get: as, connected, vrf");
}

constexpr Keyword<Draft> keywords[] = {
    {.word = "tos",
     .take = last_named<&RouteGet::tos, NameKind::dsfield>,
     .complaint = "TOS value is invalid\n"},
    {.word = "dsfield",
     .take = last_named<&RouteGet::tos, NameKind::dsfield>,
     .exact = false,
     .complaint = "TOS value is invalid\n"},
    {.word = "iif", .take = last<&RouteGet::iif, parse_device>, .exact = false},
    {.word = "mark",
     .take = last<&RouteGet::mark, parse_number>,
     .exact = false,
     .complaint = "invalid mark value"},
    {.word = "oif", .take = last<&RouteGet::oif, parse_device>, .exact = false},
    {.word = "dev", .take = last<&RouteGet::oif, parse_device>},
    {.word = "as", .take = not_native},
    {.word = "notify", .take = set<&RouteGet::notify, true>, .exact = false},
    {.word = "connected", .take = not_native, .exact = false},
    {.word = "vrf", .take = not_native, .exact = false},
    {.word = "uid",
     .take = last<&RouteGet::uid, parse_number>,
     .exact = false,
     .complaint = "invalid UID\n"},
    {.word = "from", .take = take_source, .exact = false},
    {.word = "fibmatch", .take = set<&RouteGet::fib_match, true>, .exact = false},
    {.word = "ipproto", .take = take_ip_protocol, .exact = false},
    {.word = "sport",
     .take = last<&RouteGet::source_port, parse_u16>,
     .exact = false,
     .complaint = "invalid sport\n"},
    {.word = "dport",
     .take = last<&RouteGet::destination_port, parse_u16>,
     .exact = false,
     .complaint = "invalid dport\n"},
    {.word = "flowlabel",
     .take = last<&RouteGet::flow_label, parse_number>,
     .complaint = "invalid flowlabel",
     .since = Trait::route_get_words},
    {.word = "to", .take = take_destination},
};

Parsed<Request> get(ParseContext& context, Arguments arguments) {
    Draft draft(context.names);
    draft.family = context.options.family;
    TRY(take_words(keywords, draft, arguments, take_destination));
    if (draft.destination.size == 0) {
        return refused("need at least a destination address\n", 1);
    }
    return RouteGet(std::move(draft));
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
