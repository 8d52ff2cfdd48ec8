// `ip neighbor show|flush`.
#include <linux/neighbour.h>

#include "backend/objects/neighbor/words/neighbor.h"
#include "parser/ip/command.h"
#include "parser/ip/keywords.h"
#include "parser/try.h"

namespace nlsh {

namespace {

struct Draft {
    Draft(uint8_t given_family, const NameTables& names) : names(names) {
        filter.family = given_family;
    }

    NeighborFilter filter;
    const NameTables& names;
    bool flush = false;
};

Parsed<void> take_name(std::string& target, Arguments& arguments) {
    const auto word = TRY(arguments.value("dev"));
    if (!target.empty()) return declined("neighbor: a device twice");
    auto device = TRY(parse_device(word));
    target = std::move(device);
    return {};
}

Parsed<void> take_device(Draft& draft, Arguments& arguments) {
    return take_name(draft.filter.device, arguments);
}

template <bool IsVrf>
Parsed<void> take_master(Draft& draft, Arguments& arguments) {
    draft.filter.master_is_vrf = IsVrf;
    return take_name(draft.filter.master, arguments);
}

Parsed<void> take_unused(Draft& draft, Arguments&) {
    draft.filter.unused = true;
    return {};
}

Parsed<void> take_proxy(Draft& draft, Arguments&) {
    draft.filter.proxy = true;
    return {};
}

Parsed<void> take_states(Draft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("nud"));
    uint16_t states = draft.filter.states.value_or(0);
    if (word == "all") {
        // A flush keeps entries with NUD_NOARP, unless a word names this state.
        states = static_cast<uint16_t>(draft.flush ? ~NUD_NOARP : ~0);
    } else {
        const auto state = TRY(parse_neighbor_state(word));
        states = static_cast<uint16_t>(states | (state == NUD_NONE ? neighbor_state_none : state));
    }
    draft.filter.states = states;
    return {};
}

Parsed<void> take_protocol(Draft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("protocol"));
    if (word == "all") {
        draft.filter.protocol.reset();
        return {};
    }
    return set_once(draft.filter.protocol, parse_neighbor_protocol(word, draft.names));
}

Parsed<void> take_prefix(Draft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("to"));
    if (word == "default" || word == "any" || word == "all") {
        if (draft.flush || draft.filter.to) return declined("neighbor: a word for no address");
        return {};
    }
    auto prefix = parse_prefix(word, draft.filter.family);
    if (prefix) draft.filter.family = prefix->family;
    return set_once(draft.filter.to, std::move(prefix));
}

Parsed<void> not_native(Draft&, Arguments&) {
    return declined("neighbor: nomaster");
}

constexpr Keyword<Draft> keywords[] = {
    {.word = "dev", .take = take_device},
    {.word = "master", .take = take_master<false>},
    {.word = "vrf", .take = take_master<true>},
    {.word = "nomaster", .take = not_native},
    {.word = "unused", .take = take_unused},
    {.word = "nud", .take = take_states, .complaint = "nud state is bad"},
    {.word = "proxy", .take = take_proxy},
    {.word = "protocol",
     .take = take_protocol,
     .exact = false,
     .complaint = "invalid \"protocol\"\n"},
    {.word = "to", .take = take_prefix},
};

Parsed<NeighborFilter> read(const ParseContext& context, Arguments arguments, bool flush) {
    const auto family = TRY(neighbor_family(context.options));
    Draft draft(family, context.names);
    draft.flush = flush;
    while (!arguments.empty()) {
        const auto taken = TRY(take_keyword<Draft>(keywords, draft, arguments));
        if (taken) continue;
        // `all` is a show's default; a flush needs the word.
        if (flush && arguments.take_if("all")) continue;
        TRY(take_prefix(draft, arguments));
    }
    return std::move(draft.filter);
}

}  // namespace

Parsed<Request> parse_neighbor_show(ParseContext& context, Arguments arguments) {
    auto filter = TRY(read(context, arguments, false));
    return NeighborShow{std::move(filter)};
}

Parsed<Request> parse_neighbor_flush(ParseContext& context, Arguments arguments) {
    if (arguments.empty()) return refused("Flush requires arguments.\n", 1);
    const bool lists = context.options.statistics > 1;
    if (lists && (context.options.json || context.options.brief))
        return declined("neighbor flush: -s -s with another format");
    auto filter = TRY(read(context, arguments, true));
    return NeighborFlush{std::move(filter)};
}

}  // namespace nlsh
