#include "backend/objects/route/words/route.h"
#include "backend/objects/route/words/rows.h"

#include <sys/socket.h>

#include "backend/objects/route/words/values.h"
#include "parser/ip/arguments.h"
#include "parser/ip/command.h"
#include "parser/ip/keywords.h"
#include "parser/ip/refusal.h"
#include "parser/try.h"

namespace nlsh {
namespace {

// A route while its words are being read.
struct Draft {
    const NameTables& names;
    RouteChange route;
    bool has_destination = false;
    bool has_scope = false;
    bool has_table = false;
    bool nexthop_device = false;  // a nexthop named a device, which iproute2 looks up at once
    bool looks_up = false;        // a device is looked up between the words, and may be missing
};

// The first address decides the family, unless -4 or -6 is given.
void imply_family(Draft& draft, uint8_t family) {
    if (draft.route.family == AF_UNSPEC) draft.route.family = family;
}

// Puts a word's value into `field`.
template <typename Field, typename Parse>
Parsed<void> take_value(Field& field, Arguments& arguments, Parse parse) {
    field = TRY(parse(TRY(arguments.value("route"))));
    return {};
}

template <auto Field, NameKind Kind>
Parsed<void> take_named(Draft& draft, Arguments& arguments) {
    return take_value(draft.route.*Field, arguments, [&](std::string_view word) {
        return parse_named_u8(draft.names, Kind, word);
    });
}

// [inet|inet6] ADDRESS
Parsed<InetPrefix> take_gateway(uint8_t family, Arguments& arguments) {
    const auto named = TRY(take_family(arguments, family));
    const auto word = TRY(arguments.value("via"));
    return parse_plain_address(word, named);
}

Parsed<void> take_via(Draft& draft, Arguments& arguments) {
    if (draft.route.via) {
        return refused(
            "Error: argument \"via\" is wrong: use nexthop syntax to specify multiple via\n\n");
    }
    const auto via = TRY(take_gateway(draft.route.family, arguments));
    imply_family(draft, via.family);
    draft.route.via = via;
    return {};
}

Parsed<void> take_preferred_source(Draft& draft, Arguments& arguments) {
    const auto taken = take_value(
        draft.route.preferred_source, arguments,
        [&](std::string_view word) { return parse_plain_address(word, draft.route.family); });
    if (taken) imply_family(draft, draft.route.preferred_source->family);
    return taken;
}

Parsed<void> take_source(Draft& draft, Arguments& arguments) {
    if (draft.route.family == AF_MPLS) return declined("the source of a label");
    const auto taken = take_value(draft.route.source, arguments, [&](std::string_view word) {
        return parse_prefix(word, draft.route.family);
    });
    if (taken) imply_family(draft, draft.route.source->family);
    return taken;
}

Parsed<void> take_scope(Draft& draft, Arguments& arguments) {
    draft.has_scope = true;
    return take_named<&RouteChange::scope, NameKind::scope>(draft, arguments);
}

Parsed<void> take_table(Draft& draft, Arguments& arguments) {
    draft.has_table = true;
    if (!draft.route.vrf.empty()) return declined("a vrf and a table");
    return take_value(draft.route.table, arguments,
                      [&](std::string_view word) { return parse_table(draft.names, word); });
}

// The vrf's table is looked up when the command runs.
Parsed<void> take_vrf(Draft& draft, Arguments& arguments) {
    draft.has_table = true;
    if (!draft.route.vrf.empty()) return declined("two vrfs");
    return take_device(draft.route.vrf, arguments);
}

Parsed<void> take_route_device(Draft& draft, Arguments& arguments) {
    return take_device(draft.route.device, arguments);
}

Parsed<void> put_realms(FieldValues& attributes, const Draft& draft, Arguments& arguments) {
    attributes.set(RTA_FLOW, TRY(parse_realms(draft.names, TRY(arguments.value("realms")))));
    return {};
}

Parsed<void> take_realms(Draft& draft, Arguments& arguments) {
    return put_realms(draft.route.attributes, draft, arguments);
}

Parsed<void> take_onlink(Draft& draft, Arguments&) {
    draft.route.flags |= RTNH_F_ONLINK;
    return {};
}

// [TYPE] PREFIX
Parsed<void> take_destination(Draft& draft, Arguments& arguments) {
    auto word = arguments.value("to");
    if (!word) return std::unexpected(word.error());
    if (draft.has_destination) {
        const bool may_be_type = parse_route_type(*word) || !is_plain_value(*word);
        if (may_be_type || matches(*word, "help")) return declined("two destinations");
        return garbage(arguments.traits(), "to", *word);
    }
    if (word->empty() || word->front() < '0' || word->front() > '9') {
        if (const auto type = parse_route_type(*word)) {
            draft.route.type = *type;
            word = arguments.value("to");
            if (!word) return std::unexpected(word.error());
        }
    }
    const auto prefix = TRY(parse_route_prefix(*word, draft.route.family));
    imply_family(draft, prefix.family);
    draft.route.destination = prefix;
    draft.has_destination = true;
    return {};
}

Parsed<void> take_encap_of(RouteEncap& encap, Draft& draft, Arguments& arguments) {
    auto read = TRY(parse_encap(draft.names, arguments));
    if (encap.type != 0) return declined("encap twice");
    encap = std::move(read);
    draft.looks_up = draft.looks_up || encap.names_device();
    return {};
}

Parsed<void> take_encap(Draft& draft, Arguments& arguments) {
    return take_encap_of(draft.route.encap, draft, arguments);
}

// enabled | disabled
Parsed<void> take_ttl_propagate(Draft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("ttl-propagate"));
    if (word != "enabled" && word != "disabled") return bad_value("enabled or disabled");
    draft.route.attributes.set(RTA_TTL_PROPAGATE, static_cast<uint8_t>(word == "enabled"));
    return {};
}

// [to] LABELS: these labels replace the route's label.
Parsed<void> take_labels(std::string& labels, const Draft& draft, Arguments& arguments) {
    if (draft.route.family != AF_MPLS) return declined("route: as");
    arguments.take_if("to");
    const auto word = TRY(arguments.value("as"));
    auto stack = parse_labels(word);
    if (!stack) {
        return std::unexpected(with_expectation(stack.error(), "address", word, AF_MPLS));
    }
    labels = std::move(*stack);
    return {};
}

Parsed<void> take_as(Draft& draft, Arguments& arguments) {
    return take_labels(draft.route.labels, draft, arguments);
}

constexpr auto take_tos = take_named<&RouteChange::tos, NameKind::dsfield>;
constexpr auto take_origin = take_named<&RouteChange::protocol, NameKind::protocol>;
constexpr const char* bad_tos = "\"tos\" value is invalid\n";

constexpr Keyword<Draft> keywords[] = {
    {.word = "src", .take = take_preferred_source},
    {.word = "as", .take = take_as},
    {.word = "via", .take = take_via},
    {.word = "from", .take = take_source},
    {.word = "tos", .take = take_tos, .complaint = bad_tos},
    {.word = "dsfield", .take = take_tos, .exact = false, .complaint = bad_tos},
    {.word = "scope", .take = take_scope, .complaint = "invalid \"scope\" value\n"},
    {.word = "realms",
     .take = take_realms,
     .exact = false,
     .complaint = "\"realm\" value is invalid\n"},
    {.word = "onlink", .take = take_onlink},
    {.word = "protocol",
     .take = take_origin,
     .exact = false,
     .complaint = "\"protocol\" value is invalid\n"},
    {.word = "table",
     .take = take_table,
     .exact = false,
     .complaint = "\"table\" value is invalid\n"},
    {.word = "vrf", .take = take_vrf, .exact = false},
    {.word = "dev", .also = {"oif"}, .take = take_route_device},
    {.word = "encap", .take = take_encap},
    {.word = "ttl-propagate",
     .take = take_ttl_propagate,
     .complaint = "\"ttl-propagate\" value is invalid\n"},
    {.word = "to", .take = take_destination},
};

constexpr size_t max_encaps = 8;

Parsed<uint8_t> parse_weight(std::string_view word) {
    const uint32_t weight = TRY(parse_u32(word, 256));
    if (weight == 0) return bad_value("weight");
    return static_cast<uint8_t>(weight - 1);
}

// A path while its words are being read.
struct PathDraft {
    Draft& draft;
    RouteNexthop nexthop = {};
};

Parsed<void> take_path_device(PathDraft& path, Arguments& arguments) {
    if (!path.nexthop.device.empty()) return declined("a nexthop with two devices");
    path.draft.nexthop_device = true;
    return take_device(path.nexthop.device, arguments);
}

Parsed<void> take_path_encap(PathDraft& path, Arguments& arguments) {
    // iproute2's message has room for many small ones, but then iproute2 looks up devices in
    // another order.
    if (path.draft.route.nexthops.size() >= max_encaps) return declined("many encaps");
    const auto taken = take_encap_of(path.nexthop.encap, path.draft, arguments);
    return path.nexthop.encap.names_device() ? declined("a nexthop's encap with a device") : taken;
}

Parsed<void> take_path_labels(PathDraft& path, Arguments& arguments) {
    return take_labels(path.nexthop.labels, path.draft, arguments);
}

Parsed<void> take_weight(PathDraft& path, Arguments& arguments) {
    return take_value(path.nexthop.weight_minus_1, arguments, parse_weight);
}

Parsed<void> take_path_onlink(PathDraft& path, Arguments&) {
    path.nexthop.flags |= RTNH_F_ONLINK;
    return {};
}

// iproute2 sends a second gateway or realm, too, and the kernel accepts it.
Parsed<void> take_path_via(PathDraft& path, Arguments& arguments) {
    if (path.nexthop.via) return declined("a nexthop with two gateways");
    const auto via = TRY(take_gateway(path.draft.route.family, arguments));
    imply_family(path.draft, via.family);
    path.nexthop.via = via;
    return {};
}

Parsed<void> take_path_realms(PathDraft& path, Arguments& arguments) {
    if (path.nexthop.attributes.find(RTA_FLOW)) return declined("a nexthop with two realms");
    return put_realms(path.nexthop.attributes, path.draft, arguments);
}

constexpr Keyword<PathDraft> path_keywords[] = {
    {.word = "dev", .take = take_path_device},
    {.word = "encap", .take = take_path_encap},
    {.word = "as", .take = take_path_labels},
    {.word = "weight", .take = take_weight, .complaint = "\"weight\" is invalid\n"},
    {.word = "onlink", .take = take_path_onlink},
    {.word = "via", .take = take_path_via},
    {.word = "realms", .take = take_path_realms},
};

// Only nexthops may follow the first `nexthop` (already taken).
Parsed<void> take_nexthops(Draft& draft, Arguments& arguments) {
    do {
        PathDraft path{.draft = draft};
        if (arguments.empty()) return refused("Error: unexpected end of line after \"nexthop\"\n");
        if (arguments.peek() == "nexthop") return declined("empty nexthop");
        while (!arguments.empty() && arguments.peek() != "nexthop") {
            if (!TRY(take_keyword<PathDraft>(path_keywords, path, arguments)))
                return declined("a nexthop's word");
        }
        draft.route.nexthops.push_back(std::move(path.nexthop));
    } while (arguments.take_if("nexthop"));
    return {};
}

// Takes a word other than `nexthop`, and its value.
Parsed<void> take_word(Draft& draft, Arguments& arguments) {
    const auto metric = TRY(take_metric(draft.route.metrics, arguments));
    if (metric) return {};
    const auto field = TRY(take_field(route_fields, draft.route.attributes, arguments, true));
    if (field) return {};
    const auto keyword = TRY(take_keyword<Draft>(keywords, draft, arguments));
    return keyword ? Parsed<void>() : take_destination(draft, arguments);
}

Parsed<void> take_words(Draft& draft, Arguments& arguments) {
    while (!arguments.empty()) {
        if (arguments.take_if("nexthop")) {
            if (!draft.has_destination) return declined("no destination");
            // iproute2 has looked up the route's own device by now.
            const bool before = !draft.route.device.empty() || !draft.route.vrf.empty();
            auto taken = take_nexthops(draft, arguments);
            return taken || !before ? taken : std::unexpected(unexplained(taken.error()));
        }
        TRY(take_word(draft, arguments));
    }
    return {};
}

// Adds the defaults that the type and other words imply.
void complete(Draft& draft) {
    RouteChange& route = draft.route;
    const uint8_t type = route.type;
    const bool local = type == RTN_LOCAL || type == RTN_NAT;
    const bool on_link = type == RTN_BROADCAST || type == RTN_MULTICAST || type == RTN_ANYCAST;
    const bool unicast = type == RTN_UNICAST || type == RTN_UNSPEC;
    const bool no_gateway =
        !route.via && route.nexthops.empty() && route.attributes.find(RTA_NH_ID) == nullptr;

    if (!draft.has_table && (local || type == RTN_BROADCAST || type == RTN_ANYCAST)) {
        route.table = RT_TABLE_LOCAL;
    }
    if (!draft.has_scope) {
        if (route.family == AF_INET6 || route.family == AF_MPLS) {
            route.scope = RT_SCOPE_UNIVERSE;
        } else if (local) {
            route.scope = RT_SCOPE_HOST;
        } else if (unicast && route.verb == ChangeVerb::remove) {
            route.scope = RT_SCOPE_NOWHERE;
        } else if (on_link || (unicast && no_gateway)) {
            route.scope = RT_SCOPE_LINK;
        }
    }
    if (route.family == AF_UNSPEC) route.family = AF_INET;
    if (route.family == AF_MPLS && type == RTN_UNSPEC) route.type = RTN_UNICAST;
}

}  // namespace

Parsed<RouteChange> parse_route_change(ChangeVerb verb, const ParseContext& context,
                                       Arguments arguments) {
    Draft draft{.names = context.names, .route = {}};
    draft.route.verb = verb;
    draft.route.family = context.options.family;
    if (verb == ChangeVerb::remove) {
        draft.route.type = RTN_UNSPEC;
        draft.route.protocol = RTPROT_UNSPEC;
        draft.route.scope = RT_SCOPE_NOWHERE;
    }
    if (const auto taken = take_words(draft, arguments); !taken) {
        return std::unexpected(draft.looks_up || draft.nexthop_device ? unexplained(taken.error())
                                                                      : taken.error());
    }
    if (draft.looks_up && !draft.route.vrf.empty()) return declined("a vrf and a device of encap");
    if (!draft.has_destination) return declined("no destination");
    complete(draft);
    return std::move(draft.route);
}

}  // namespace nlsh
