#include "parser/ip/route/show.h"

#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include "parser/ip/family.h"
#include "parser/ip/keywords.h"
#include "parser/ip/route/query.h"
#include "parser/ip/route/values.h"

namespace nlsh {

namespace {

struct Draft {
    const NameTables& names;
    uint8_t family;  // what -4 or -6 says: addresses of another one are errors
    RouteShow show;
};

Parsed<void> take_table(Draft& draft, Arguments& arguments) {
    const auto word = arguments.value("table");
    if (!word) return std::unexpected(word.error());
    if (!draft.show.vrf.empty()) return declined("a vrf and a table");
    if (const auto table = parse_table(draft.names, *word)) {
        draft.show.table = *table;
    } else if (*word == "all") {
        draft.show.table = RT_TABLE_UNSPEC;
    } else if (*word == "cache") {
        draft.show.cloned = true;
    } else if (*word == "help") {
        return declined("route: help");
    } else {
        return bad_value("no such table");
    }
    return {};
}

Parsed<void> take_vrf(Draft& draft, Arguments& arguments) {
    if (!draft.show.vrf.empty()) return declined("two vrfs");
    return take_device(draft.show.vrf, arguments);
}

Parsed<void> take_cached(Draft& draft, Arguments&) {
    draft.show.cloned = true;
    return {};
}

template <auto Field, NameKind Kind>
Parsed<void> take_named(Draft& draft, Arguments& arguments) {
    const auto word = arguments.value("route");
    if (!word) return std::unexpected(word.error());
    const auto value = parse_named_u8(draft.names, Kind, *word);
    if (!value) return std::unexpected(value.error());
    draft.show.*Field = *value;
    return {};
}

// "all" takes the filter away again.
template <auto Field, NameKind Kind>
Parsed<void> take_named_or_all(Draft& draft, Arguments& arguments) {
    if (arguments.take_if("all")) {
        draft.show.*Field = std::nullopt;
        return {};
    }
    return take_named<Field, Kind>(draft, arguments);
}

template <auto Field>
Parsed<void> take_number(Draft& draft, Arguments& arguments) {
    const auto word = arguments.value("route");
    if (!word) return std::unexpected(word.error());
    const auto value = parse_u32(*word);
    if (!value) return std::unexpected(value.error());
    draft.show.*Field = *value;
    return {};
}

Parsed<void> take_type(Draft& draft, Arguments& arguments) {
    const auto word = arguments.value("type");
    if (!word) return std::unexpected(word.error());
    const auto type = parse_route_type(*word);
    if (!type) return std::unexpected(type.error());
    if (*type > RTN_MAX) return declined("type of a route");
    draft.show.type_mask = 1U << *type;
    return {};
}

template <auto Field>
Parsed<void> take_filter_device(Draft& draft, Arguments& arguments) {
    return take_device(draft.show.*Field, arguments);
}

// Addresses in words are rare here: left to the real one.
Parsed<void> take_address(std::optional<InetPrefix>& filter, uint8_t family, Arguments& arguments) {
    const auto word = arguments.value("route");
    if (!word) return std::unexpected(word.error());
    if (is_address_word(*word)) return declined("a word for an address");
    if (family == AF_MPLS) return declined("a label for an address");
    const auto prefix = parse_prefix(*word, family);
    if (!prefix) return std::unexpected(prefix.error());
    filter = *prefix;
    return {};
}

Parsed<void> take_preferred_source(Draft& draft, Arguments& arguments) {
    return take_address(draft.show.preferred_source, draft.family, arguments);
}

Parsed<void> take_via(Draft& draft, Arguments& arguments) {
    const auto family = take_family(arguments, draft.family);
    if (!family) return std::unexpected(family.error());
    return take_address(draft.show.via, *family, arguments);
}

// [root|match|exact] PREFIX. Without a word it means exact: inside and around.
Parsed<void> take_prefix_filter(PrefixFilter& filter, uint8_t family, Arguments& arguments) {
    const auto next_is = [&](std::string_view keyword) {
        if (arguments.empty() || !matches(arguments.peek(), keyword)) return false;
        arguments.take();
        return true;
    };
    const bool root = next_is("root");
    const bool match = !root && next_is("match");
    if (!root && !match) next_is("exact");
    const auto word = arguments.value("prefix");
    if (!word) return std::unexpected(word.error());
    const auto prefix = parse_route_prefix(*word, family);
    if (!prefix) return std::unexpected(prefix.error());
    if (!match) filter.root = *prefix;
    if (!root) filter.match = *prefix;
    return {};
}

Parsed<void> take_source(Draft& draft, Arguments& arguments) {
    return take_prefix_filter(draft.show.source, draft.family, arguments);
}

Parsed<void> take_destination(Draft& draft, Arguments& arguments) {
    return take_prefix_filter(draft.show.destination, draft.family, arguments);
}

Parsed<void> take_realms(Draft& draft, Arguments& arguments) {
    const auto word = arguments.value("realms");
    if (!word) return std::unexpected(word.error());
    const auto realms = parse_realms(draft.names, *word);
    return realms ? declined("route show: realms") : std::unexpected(realms.error());
}

// In iproute2's order where abbreviations overlap: "m" is metric, "r" is realms.
constexpr Keyword<Draft> keywords[] = {
    {"table", take_table, false, "table id value is invalid\n"},
    {"vrf", take_vrf, false},
    {"cached", take_cached, false},
    {"cloned", take_cached, false},
    {"tos", take_named<&RouteShow::tos, NameKind::dsfield>, true, "TOS value is invalid\n"},
    {"dsfield", take_named<&RouteShow::tos, NameKind::dsfield>, false, "TOS value is invalid\n"},
    {"protocol", take_named_or_all<&RouteShow::protocol, NameKind::protocol>, false,
     "invalid \"protocol\"\n"},
    {"scope", take_named_or_all<&RouteShow::scope, NameKind::scope>, false, "invalid \"scope\"\n"},
    {"type", take_type, false, "node type value is invalid\n"},
    {"dev", take_filter_device<&RouteShow::oif>},
    {"oif", take_filter_device<&RouteShow::oif>},
    {"iif", take_filter_device<&RouteShow::iif>},
    {"mark", take_number<&RouteShow::mark>, true, "invalid mark value"},
    {"metric", take_number<&RouteShow::metric>, false, "\"metric\" value is invalid\n"},
    {"priority", take_number<&RouteShow::metric>, false, "\"metric\" value is invalid\n"},
    {"preference", take_number<&RouteShow::metric>, true, "\"metric\" value is invalid\n"},
    {"via", take_via},
    {"src", take_preferred_source},
    {"realms", take_realms, false, "invalid realms\n"},
    {"from", take_source, false},
    {"to", take_destination, false},
};

}  // namespace

Parsed<RouteShow> parse_route_show(const ParseContext& context, Arguments arguments) {
    Draft draft{.names = context.names, .family = context.options.family, .show = {}};
    draft.show.table = RT_TABLE_MAIN;
    while (!arguments.empty()) {
        const auto keyword = take_keyword<Draft>(keywords, draft, arguments);
        if (!keyword) return std::unexpected(keyword.error());
        if (*keyword) continue;
        if (const auto taken = take_destination(draft, arguments); !taken) {
            return std::unexpected(taken.error());
        }
    }
    draft.show.family = draft.family;
    const bool one_table = draft.show.table != RT_TABLE_UNSPEC || !draft.show.vrf.empty();
    if (draft.family == AF_UNSPEC && one_table) draft.show.family = AF_INET;
    // How IPv6 tables are told apart carries over from line to line there.
    if (context.options.batch && draft.show.family != AF_INET) {
        return declined("route show: IPv6 in a batch");
    }
    return std::move(draft.show);
}

}  // namespace nlsh
