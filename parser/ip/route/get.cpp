#include <linux/rtnetlink.h>
#include <netinet/in.h>

#include "parser/ip/keywords.h"
#include "parser/ip/route/query.h"
#include "parser/ip/route/values.h"

namespace nlsh {

namespace {

struct Draft {
    const NameTables& names;
    RouteGet get;
};

template <auto Field, auto Parse>
Parsed<void> take_number(Draft& draft, Arguments& arguments) {
    const auto word = arguments.value("route get");
    if (!word) return std::unexpected(word.error());
    const auto value = Parse(*word);
    if (!value) return std::unexpected(value.error());
    draft.get.*Field = *value;
    return {};
}

Parsed<uint32_t> parse_number(std::string_view word) {
    return parse_u32(word);
}

Parsed<uint8_t> parse_ip_protocol(std::string_view word) {
    if (word == "tcp") return uint8_t{IPPROTO_TCP};
    if (word == "udp") return uint8_t{IPPROTO_UDP};
    return parse_u8(word);
}

Parsed<void> take_tos(Draft& draft, Arguments& arguments) {
    const auto word = arguments.value("tos");
    if (!word) return std::unexpected(word.error());
    const auto tos = parse_named_u8(draft.names, NameKind::dsfield, *word);
    if (!tos) return std::unexpected(tos.error());
    draft.get.tos = *tos;
    return {};
}

template <auto Field>
Parsed<void> take_get_device(Draft& draft, Arguments& arguments) {
    return take_device(draft.get.*Field, arguments);
}

Parsed<void> take_fib_match(Draft& draft, Arguments&) {
    draft.get.fib_match = true;
    return {};
}

Parsed<InetPrefix> take_host(Draft& draft, Arguments& arguments) {
    const auto word = arguments.value("to");
    if (!word) return std::unexpected(word.error());
    const auto prefix = parse_route_prefix(*word, draft.get.family);
    if (!prefix) return std::unexpected(prefix.error());
    // A shorter prefix is warned about, and words for addresses have their own meanings.
    if (prefix->size == 0 || prefix->bits != prefix->size * 8) return declined("no full address");
    if (draft.get.family == AF_UNSPEC) draft.get.family = prefix->family;
    return *prefix;
}

Parsed<void> take_source(Draft& draft, Arguments& arguments) {
    const auto prefix = take_host(draft, arguments);
    if (!prefix) return std::unexpected(prefix.error());
    draft.get.source = *prefix;
    return {};
}

Parsed<void> take_destination(Draft& draft, Arguments& arguments) {
    const auto prefix = take_host(draft, arguments);
    if (!prefix) return std::unexpected(prefix.error());
    draft.get.destination = *prefix;
    return {};
}

Parsed<void> not_native(Draft&, Arguments&) {
    return declined("route get: connected, notify, vrf");
}

constexpr Keyword<Draft> keywords[] = {
    {"tos", take_tos, true, "TOS value is invalid\n"},
    {"dsfield", take_tos, false, "TOS value is invalid\n"},
    {"iif", take_get_device<&RouteGet::iif>, false},
    {"mark", take_number<&RouteGet::mark, parse_number>, false, "invalid mark value"},
    {"oif", take_get_device<&RouteGet::oif>, false},
    {"dev", take_get_device<&RouteGet::oif>},
    {"notify", not_native, false},
    {"connected", not_native, false},
    {"vrf", not_native, false},
    {"uid", take_number<&RouteGet::uid, parse_number>, false, "invalid UID\n"},
    {"from", take_source, false},
    {"fibmatch", take_fib_match, false},
    {"ipproto", take_number<&RouteGet::ip_protocol, parse_ip_protocol>, false},
    {"sport", take_number<&RouteGet::source_port, parse_u16>, false, "invalid sport\n"},
    {"dport", take_number<&RouteGet::destination_port, parse_u16>, false, "invalid dport\n"},
    {"to", take_destination},
};

}  // namespace

Parsed<RouteGet> parse_route_get(const ParseContext& context, Arguments arguments) {
    Draft draft{.names = context.names, .get = {}};
    draft.get.family = context.options.family;
    while (!arguments.empty()) {
        const auto keyword = take_keyword<Draft>(keywords, draft, arguments);
        if (!keyword) return std::unexpected(keyword.error());
        if (*keyword) continue;
        if (const auto taken = take_destination(draft, arguments); !taken) {
            return std::unexpected(taken.error());
        }
    }
    if (draft.get.destination.size == 0) {
        return refused("need at least a destination address\n", 1);
    }
    return std::move(draft.get);
}

}  // namespace nlsh
