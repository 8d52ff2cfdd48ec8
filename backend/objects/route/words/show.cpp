#include "backend/objects/route/words/route.h"

#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include "backend/objects/route/words/values.h"
#include "parser/ip/arguments.h"
#include "parser/ip/command.h"
#include "parser/ip/keywords.h"
#include "parser/try.h"

namespace nlsh {
namespace {

struct Draft : RouteShow {
    explicit Draft(const ParseContext& context)
        : names(context.names), asked_family(context.options.family) {}

    const NameTables& names;
    const uint8_t asked_family;  // from -4 or -6: addresses of another family are errors
};

Parsed<void> take_table(Draft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("table"));
    if (!draft.vrf.empty()) return declined("a vrf and a table");
    if (const auto table = parse_table(draft.names, word)) {
        draft.table = *table;
    } else if (word == "all") {
        draft.table = RT_TABLE_UNSPEC;
    } else if (word == "cache") {
        draft.cloned = true;
    } else if (word == "help") {
        return declined("route: help");
    } else {
        return unreadable(word, "no such table");
    }
    return {};
}

Parsed<void> take_vrf(Draft& draft, Arguments& arguments) {
    if (!draft.vrf.empty()) return declined("two vrfs");
    return take_device(draft.vrf, arguments);
}

// "all" removes the filter.
template <auto Field, NameKind Kind>
Parsed<void> take_named_or_all(Draft& draft, Arguments& arguments) {
    if (arguments.take_if("all")) {
        draft.*Field = std::nullopt;
        return {};
    }
    return last_named<Field, Kind>(draft, arguments);
}

Parsed<void> take_type(Draft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("type"));
    const auto type = TRY(parse_route_type(word));
    if (type > RTN_MAX) return declined("type of a route");
    draft.type_mask = 1U << type;
    return {};
}

// Words for addresses fall back, because they are rare here.
Parsed<void> take_address(std::optional<InetPrefix>& filter, uint8_t family, Arguments& arguments) {
    const auto word = TRY(arguments.value("route"));
    if (is_address_word(word)) return declined("a word for an address");
    if (family == AF_MPLS) return declined("a label for an address");
    const auto prefix = TRY(parse_prefix(word, family));
    filter = prefix;
    return {};
}

Parsed<void> take_preferred_source(Draft& draft, Arguments& arguments) {
    return take_address(draft.preferred_source, draft.asked_family, arguments);
}

Parsed<void> take_via(Draft& draft, Arguments& arguments) {
    const auto family = TRY(take_family(arguments, draft.asked_family));
    return take_address(draft.via, family, arguments);
}

// [root|match|exact] PREFIX. The default is exact: inside and around.
Parsed<void> take_prefix_filter(PrefixFilter& filter, uint8_t family, Arguments& arguments) {
    const auto next_is = [&](std::string_view keyword) {
        if (arguments.empty() || !matches(arguments.peek(), keyword)) return false;
        arguments.take();
        return true;
    };
    const bool root = next_is("root");
    const bool match = !root && next_is("match");
    if (!root && !match) next_is("exact");
    const auto word = TRY(arguments.value("prefix"));
    const auto prefix = TRY(parse_route_prefix(word, family));
    if (!match) filter.root = prefix;
    if (!root) filter.match = prefix;
    return {};
}

Parsed<void> take_source(Draft& draft, Arguments& arguments) {
    return take_prefix_filter(draft.source, draft.asked_family, arguments);
}

Parsed<void> take_destination(Draft& draft, Arguments& arguments) {
    return take_prefix_filter(draft.destination, draft.asked_family, arguments);
}

Parsed<void> take_realms(Draft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("realms"));
    const auto realms = parse_realms(draft.names, word);
    return realms ? declined("route show: realms") : std::unexpected(realms.error());
}

// In iproute2's order: "m" is metric, "r" is realms.
constexpr Keyword<Draft> keywords[] = {
    {.word = "table",
     .take = take_table,
     .exact = false,
     .complaint = "table id value is invalid\n"},
    {.word = "vrf", .take = take_vrf, .exact = false},
    {.word = "cached", .also = {"cloned"}, .take = set<&RouteShow::cloned, true>, .exact = false},
    {.word = "tos",
     .take = last_named<&RouteShow::tos, NameKind::dsfield>,
     .complaint = "TOS value is invalid\n"},
    {.word = "dsfield",
     .take = last_named<&RouteShow::tos, NameKind::dsfield>,
     .exact = false,
     .complaint = "TOS value is invalid\n"},
    {.word = "protocol",
     .take = take_named_or_all<&RouteShow::protocol, NameKind::protocol>,
     .exact = false,
     .complaint = "invalid \"protocol\"\n"},
    {.word = "scope",
     .take = take_named_or_all<&RouteShow::scope, NameKind::scope>,
     .exact = false,
     .complaint = "invalid \"scope\"\n"},
    {.word = "type",
     .take = take_type,
     .exact = false,
     .complaint = "node type value is invalid\n"},
    {.word = "oif", .also = {"dev"}, .take = last<&RouteShow::oif, parse_device>},
    {.word = "iif", .take = last<&RouteShow::iif, parse_device>},
    {.word = "mark",
     .take = last<&RouteShow::mark, parse_number>,
     .complaint = "invalid mark value"},
    {.word = "metric",
     .also = {"priority"},
     .take = last<&RouteShow::metric, parse_number>,
     .exact = false,
     .complaint = "\"metric\" value is invalid\n"},
    {.word = "preference",
     .take = last<&RouteShow::metric, parse_number>,
     .complaint = "\"metric\" value is invalid\n"},
    {.word = "via", .take = take_via},
    {.word = "src", .take = take_preferred_source},
    {.word = "realms", .take = take_realms, .exact = false, .complaint = "invalid realms\n"},
    {.word = "from", .take = take_source, .exact = false},
    {.word = "to", .take = take_destination, .exact = false},
};

}  // namespace

Parsed<RouteShow> parse_route_show(const ParseContext& context, Arguments arguments) {
    Draft draft(context);
    draft.table = RT_TABLE_MAIN;
    TRY(take_words(keywords, draft, arguments, take_destination));
    draft.family = draft.asked_family;
    const bool one_table = draft.table != RT_TABLE_UNSPEC || !draft.vrf.empty();
    if (draft.asked_family == AF_UNSPEC && one_table) draft.family = AF_INET;
    return RouteShow(std::move(draft));
}

}  // namespace nlsh
