#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include "backend/objects/route/words/route.h"
#include "backend/objects/route/words/values.h"
#include "parser/ip/command.h"
#include "parser/ip/keywords.h"
#include "parser/try.h"

namespace nlsh {

namespace {

struct Draft {
    const NameTables& names;
    RouteGet get;
};

template <auto Field, auto Parse>
Parsed<void> take_number(Draft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("route get"));
    const auto value = TRY(Parse(word));
    draft.get.*Field = value;
    return {};
}

Parsed<uint32_t> parse_number(std::string_view word) {
    return parse_u32(word);
}

Parsed<void> take_ip_protocol(Draft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("route get"));
    if (word == "tcp" || word == "udp") {
        const auto known = draft.names[NameKind::ip_protocol].number(word);
        if (!known) return declined("route get: ipproto");
        draft.get.ip_protocol = static_cast<uint8_t>(*known);
        return {};
    }
    draft.get.ip_protocol = TRY(parse_u8(word));
    return {};
}

Parsed<void> take_tos(Draft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("tos"));
    const auto tos = TRY(parse_named_u8(draft.names, NameKind::dsfield, word));
    draft.get.tos = tos;
    return {};
}

template <auto Field>
Parsed<void> take_get_device(Draft& draft, Arguments& arguments) {
    return take_device(draft.get.*Field, arguments);
}

Parsed<void> take_notify(Draft& draft, Arguments&) {
    draft.get.notify = true;
    return {};
}

Parsed<void> take_fib_match(Draft& draft, Arguments&) {
    draft.get.fib_match = true;
    return {};
}

Parsed<InetPrefix> take_host(Draft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("to"));
    const auto prefix = TRY(parse_route_prefix(word, draft.get.family));
    // iproute2 warns about shorter prefixes, and reads words for addresses differently.
    const bool whole = prefix.family == AF_MPLS || prefix.bits == prefix.size * 8;
    if (prefix.size == 0 || !whole) return declined("no full address");
    if (draft.get.family == AF_UNSPEC) draft.get.family = prefix.family;
    return prefix;
}

Parsed<void> take_source(Draft& draft, Arguments& arguments) {
    if (draft.get.family == AF_MPLS) return declined("the source of a label");
    const auto prefix = TRY(take_host(draft, arguments));
    draft.get.source = prefix;
    return {};
}

Parsed<void> take_destination(Draft& draft, Arguments& arguments) {
    const auto prefix = TRY(take_host(draft, arguments));
    draft.get.destination = prefix;
    return {};
}

Parsed<void> not_native(Draft&, Arguments&) {
    return declined("route get: as, connected, vrf");
}

constexpr Keyword<Draft> keywords[] = {
    {.word = "tos", .take = take_tos, .complaint = "TOS value is invalid\n"},
    {.word = "dsfield", .take = take_tos, .exact = false, .complaint = "TOS value is invalid\n"},
    {.word = "iif", .take = take_get_device<&RouteGet::iif>, .exact = false},
    {.word = "mark",
     .take = take_number<&RouteGet::mark, parse_number>,
     .exact = false,
     .complaint = "invalid mark value"},
    {.word = "oif", .take = take_get_device<&RouteGet::oif>, .exact = false},
    {.word = "dev", .take = take_get_device<&RouteGet::oif>},
    {.word = "as", .take = not_native},
    {.word = "notify", .take = take_notify, .exact = false},
    {.word = "connected", .take = not_native, .exact = false},
    {.word = "vrf", .take = not_native, .exact = false},
    {.word = "uid",
     .take = take_number<&RouteGet::uid, parse_number>,
     .exact = false,
     .complaint = "invalid UID\n"},
    {.word = "from", .take = take_source, .exact = false},
    {.word = "fibmatch", .take = take_fib_match, .exact = false},
    {.word = "ipproto", .take = take_ip_protocol, .exact = false},
    {.word = "sport",
     .take = take_number<&RouteGet::source_port, parse_u16>,
     .exact = false,
     .complaint = "invalid sport\n"},
    {.word = "dport",
     .take = take_number<&RouteGet::destination_port, parse_u16>,
     .exact = false,
     .complaint = "invalid dport\n"},
    {.word = "flowlabel",
     .take = take_number<&RouteGet::flow_label, parse_number>,
     .complaint = "invalid flowlabel",
     .since = Trait::route_get_words},
    {.word = "to", .take = take_destination},
};

}  // namespace

Parsed<RouteGet> parse_route_get(const ParseContext& context, Arguments arguments) {
    Draft draft{.names = context.names, .get = {}};
    draft.get.family = context.options.family;
    TRY(take_words(keywords, draft, arguments, take_destination));
    if (draft.get.destination.size == 0) {
        return refused("need at least a destination address\n", 1);
    }
    return std::move(draft.get);
}

}  // namespace nlsh
