#include "parser/ip/route/change.h"

#include <sys/socket.h>

#include "parser/ip/expectation.h"
#include "parser/ip/family.h"
#include "parser/ip/keywords.h"
#include "parser/ip/route/metrics.h"
#include "parser/ip/route/values.h"

namespace nlsh {

namespace {

// A route as far as its words have been read.
struct Draft {
    const NameTables& names;
    RouteChange route;
    bool has_destination = false;
    bool has_scope = false;
    bool has_table = false;
    bool nexthop_device = false;  // one stood in a nexthop, which is looked up at once
    bool looks_up = false;        // a device is looked up amid the words: it may be what is missing
};

// The family is the first address's, unless -4 or -6 has given it.
void imply_family(Draft& draft, uint8_t family) {
    if (draft.route.family == AF_UNSPEC) draft.route.family = family;
}

// Takes a word's value into `field`.
template <typename Field, typename Parse>
Parsed<void> take_value(Field& field, Arguments& arguments, Parse parse) {
    const auto word = arguments.value("route");
    if (!word) return std::unexpected(word.error());
    auto value = parse(*word);
    if (!value) return std::unexpected(value.error());
    field = *std::move(value);
    return {};
}

template <auto Field>
Parsed<void> take_number(Draft& draft, Arguments& arguments) {
    return take_value(draft.route.*Field, arguments,
                      [](std::string_view word) { return parse_u32(word); });
}

template <auto Field, NameKind Kind>
Parsed<void> take_named(Draft& draft, Arguments& arguments) {
    return take_value(draft.route.*Field, arguments, [&](std::string_view word) {
        return parse_named_u8(draft.names, Kind, word);
    });
}

// [inet|inet6] ADDRESS
Parsed<InetPrefix> take_gateway(uint8_t family, Arguments& arguments) {
    const auto named = take_family(arguments, family);
    if (!named) return std::unexpected(named.error());
    const auto word = arguments.value("via");
    if (!word) return std::unexpected(word.error());
    return parse_plain_address(*word, *named);
}

Parsed<void> take_via(Draft& draft, Arguments& arguments) {
    if (draft.route.via) {
        return refused(
            "Error: argument \"via\" is wrong: use nexthop syntax to specify multiple via\n\n");
    }
    const auto via = take_gateway(draft.route.family, arguments);
    if (!via) return std::unexpected(via.error());
    imply_family(draft, via->family);
    draft.route.via = *via;
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

Parsed<void> take_realms(Draft& draft, Arguments& arguments) {
    return take_value(draft.route.realms, arguments,
                      [&](std::string_view word) { return parse_realms(draft.names, word); });
}

Parsed<void> take_onlink(Draft& draft, Arguments&) {
    draft.route.flags |= RTNH_F_ONLINK;
    return {};
}

Parsed<uint8_t> parse_preference(std::string_view word) {
    // The values of RFC 4191.
    if (word == "low") return uint8_t{3};
    if (word == "medium") return uint8_t{0};
    if (word == "high") return uint8_t{1};
    return parse_u8(word);
}

Parsed<void> take_preference(Draft& draft, Arguments& arguments) {
    return take_value(draft.route.preference, arguments, parse_preference);
}

// [TYPE] PREFIX
Parsed<void> take_destination(Draft& draft, Arguments& arguments) {
    auto word = arguments.value("to");
    if (!word) return std::unexpected(word.error());
    if (draft.has_destination) {
        if (parse_route_type(*word) || matches(*word, "help")) return declined("two destinations");
        return garbage("to", *word);
    }
    if (word->empty() || word->front() < '0' || word->front() > '9') {
        if (const auto type = parse_route_type(*word)) {
            draft.route.type = *type;
            word = arguments.value("to");
            if (!word) return std::unexpected(word.error());
        }
    }
    const auto prefix = parse_route_prefix(*word, draft.route.family);
    if (!prefix) return std::unexpected(prefix.error());
    imply_family(draft, prefix->family);
    draft.route.destination = *prefix;
    draft.has_destination = true;
    return {};
}

Parsed<void> take_encap_of(RouteEncap& encap, Draft& draft, Arguments& arguments) {
    auto read = parse_encap(draft.names, arguments);
    if (!read) return std::unexpected(read.error());
    if (encap.type != 0) return declined("encap twice");
    encap = std::move(*read);
    draft.looks_up = draft.looks_up || encap.names_device();
    return {};
}

Parsed<void> take_encap(Draft& draft, Arguments& arguments) {
    return take_encap_of(draft.route.encap, draft, arguments);
}

// enabled | disabled
Parsed<uint8_t> parse_ttl_propagate(std::string_view word) {
    if (word == "enabled") return uint8_t{1};
    if (word == "disabled") return uint8_t{0};
    return bad_value("enabled or disabled");
}

Parsed<void> take_ttl_propagate(Draft& draft, Arguments& arguments) {
    return take_value(draft.route.ttl_propagate, arguments, parse_ttl_propagate);
}

// [to] LABELS: what a label becomes.
Parsed<void> take_labels(std::string& labels, const Draft& draft, Arguments& arguments) {
    if (draft.route.family != AF_MPLS) return declined("route: as");
    arguments.take_if("to");
    const auto word = arguments.value("as");
    if (!word) return std::unexpected(word.error());
    auto stack = parse_labels(*word);
    if (!stack) {
        return std::unexpected(with_expectation(stack.error(), "address", *word, AF_MPLS));
    }
    labels = std::move(*stack);
    return {};
}

Parsed<void> take_as(Draft& draft, Arguments& arguments) {
    return take_labels(draft.route.labels, draft, arguments);
}

constexpr Keyword<Draft> keywords[] = {
    {"src", take_preferred_source},
    {"as", take_as},
    {"via", take_via},
    {"from", take_source},
    {"tos", take_named<&RouteChange::tos, NameKind::dsfield>, true, "\"tos\" value is invalid\n"},
    {"dsfield", take_named<&RouteChange::tos, NameKind::dsfield>, false,
     "\"tos\" value is invalid\n"},
    {"expires", take_number<&RouteChange::expires>, true, "\"expires\" value is invalid\n"},
    {"metric", take_number<&RouteChange::priority>, false, "\"metric\" value is invalid\n"},
    {"priority", take_number<&RouteChange::priority>, false, "\"metric\" value is invalid\n"},
    {"preference", take_number<&RouteChange::priority>, true, "\"metric\" value is invalid\n"},
    {"scope", take_scope, true, "invalid \"scope\" value\n"},
    {"realms", take_realms, false, "\"realm\" value is invalid\n"},
    {"onlink", take_onlink},
    {"nhid", take_number<&RouteChange::nexthop_id>, true, "\"id\" value is invalid\n"},
    {"protocol", take_named<&RouteChange::protocol, NameKind::protocol>, false,
     "\"protocol\" value is invalid\n"},
    {"table", take_table, false, "\"table\" value is invalid\n"},
    {"vrf", take_vrf, false},
    {"dev", take_route_device},
    {"oif", take_route_device},
    {"pref", take_preference, false, "\"pref\" value is invalid\n"},
    {"encap", take_encap},
    {"ttl-propagate", take_ttl_propagate, true, "\"ttl-propagate\" value is invalid\n"},
    {"to", take_destination},
};

constexpr size_t max_encaps = 8;

Parsed<uint8_t> parse_weight(std::string_view word) {
    const auto weight = parse_u32(word, 256);
    const auto complain = [&](const Decline& decline) {
        return std::unexpected(with_complaint(decline, word, "\"weight\" is invalid\n"));
    };
    if (!weight) return complain(weight.error());
    if (*weight == 0) return complain(bad_value("weight").error());
    return static_cast<uint8_t>(*weight - 1);
}

// One word of a nexthop, and its value.
Parsed<void> take_nexthop_word(Draft& draft, RouteNexthop& nexthop, Arguments& arguments) {
    const std::string_view word = arguments.take();
    if (word == "dev") {
        draft.nexthop_device = true;
        return take_device(nexthop.device, arguments);
    }
    if (word == "encap") {
        // iproute2's message has room for many small ones, and the devices' turn would be another.
        if (draft.route.nexthops.size() >= max_encaps) return declined("many encaps");
        const auto taken = take_encap_of(nexthop.encap, draft, arguments);
        return nexthop.encap.names_device() ? declined("a nexthop's encap with a device") : taken;
    }
    if (word == "as") return take_labels(nexthop.labels, draft, arguments);
    if (word == "weight") return take_value(nexthop.weight_minus_1, arguments, parse_weight);
    if (word == "onlink") {
        nexthop.flags |= RTNH_F_ONLINK;
        return {};
    }
    if (word == "via") {
        const auto via = take_gateway(draft.route.family, arguments);
        if (!via) return std::unexpected(via.error());
        imply_family(draft, via->family);
        nexthop.via = *via;
        return {};
    }
    if (word == "realms") {
        return take_value(nexthop.realms, arguments,
                          [&](std::string_view value) { return parse_realms(draft.names, value); });
    }
    return declined("a nexthop's word");
}

// After the first `nexthop` (taken) there are only nexthops.
Parsed<void> take_nexthops(Draft& draft, Arguments& arguments) {
    do {
        RouteNexthop nexthop;
        if (arguments.empty()) return refused("Error: unexpected end of line after \"nexthop\"\n");
        if (arguments.peek() == "nexthop") return declined("empty nexthop");
        while (!arguments.empty() && arguments.peek() != "nexthop") {
            if (const auto taken = take_nexthop_word(draft, nexthop, arguments); !taken) {
                return taken;
            }
        }
        draft.route.nexthops.push_back(std::move(nexthop));
    } while (arguments.take_if("nexthop"));
    return {};
}

// One word that isn't `nexthop`, and its value.
Parsed<void> take_word(Draft& draft, Arguments& arguments) {
    const auto metric = take_metric(draft.route.metrics, arguments);
    if (!metric) return std::unexpected(metric.error());
    if (*metric) return {};
    const auto keyword = take_keyword<Draft>(keywords, draft, arguments);
    if (!keyword) return std::unexpected(keyword.error());
    return *keyword ? Parsed<void>() : take_destination(draft, arguments);
}

Parsed<void> take_words(Draft& draft, Arguments& arguments) {
    while (!arguments.empty()) {
        if (arguments.take_if("nexthop")) {
            if (!draft.has_destination) return declined("no destination");
            // The route's own device has been looked up by then.
            const bool before = !draft.route.device.empty() || !draft.route.vrf.empty();
            auto taken = take_nexthops(draft, arguments);
            return taken || !before ? taken : std::unexpected(unexplained(taken.error()));
        }
        if (const auto taken = take_word(draft, arguments); !taken) return taken;
    }
    return {};
}

// Scope, table and protocol follow from the type and the rest where they aren't given.
void complete(Draft& draft) {
    RouteChange& route = draft.route;
    const uint8_t type = route.type;
    const bool local = type == RTN_LOCAL || type == RTN_NAT;
    const bool on_link = type == RTN_BROADCAST || type == RTN_MULTICAST || type == RTN_ANYCAST;
    const bool unicast = type == RTN_UNICAST || type == RTN_UNSPEC;
    const bool no_gateway = !route.via && route.nexthops.empty() && !route.nexthop_id;

    if (!draft.has_table && (local || type == RTN_BROADCAST || type == RTN_ANYCAST)) {
        route.table = RT_TABLE_LOCAL;
    }
    if (!draft.has_scope) {
        if (route.family == AF_INET6 || route.family == AF_MPLS) {
            route.scope = RT_SCOPE_UNIVERSE;
        } else if (local) {
            route.scope = RT_SCOPE_HOST;
        } else if (on_link) {
            route.scope = RT_SCOPE_LINK;
        } else if (unicast && route.verb == RouteVerb::remove) {
            route.scope = RT_SCOPE_NOWHERE;
        } else if (unicast && no_gateway) {
            route.scope = RT_SCOPE_LINK;
        }
    }
    if (route.family == AF_UNSPEC) route.family = AF_INET;
    if (route.family == AF_MPLS && type == RTN_UNSPEC) route.type = RTN_UNICAST;
}

}  // namespace

Parsed<RouteChange> parse_route_change(RouteVerb verb, const ParseContext& context,
                                       Arguments arguments) {
    Draft draft{.names = context.names, .route = {}};
    draft.route.verb = verb;
    draft.route.family = context.options.family;
    if (verb == RouteVerb::remove) {
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
