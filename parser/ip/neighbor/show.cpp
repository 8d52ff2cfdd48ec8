// `ip neighbor show|flush`.
#include <linux/neighbour.h>
#include <sys/socket.h>

#include "parser/ip/keywords.h"
#include "parser/ip/neighbor/neighbor.h"
#include "parser/ip/neighbor/object.h"

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
    const auto word = arguments.value("dev");
    if (!word) return std::unexpected(word.error());
    if (!target.empty()) return declined("neighbor: a device twice");
    auto device = parse_device(*word);
    if (!device) return std::unexpected(device.error());
    target = std::move(*device);
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
    const auto word = arguments.value("nud");
    if (!word) return std::unexpected(word.error());
    uint16_t states = draft.filter.states.value_or(0);
    if (*word == "all") {
        // A flush keeps what resolves to itself unless asked for by name.
        states = static_cast<uint16_t>(draft.flush ? ~NUD_NOARP : ~0);
    } else {
        const auto state = parse_neighbor_state(*word);
        if (!state) return std::unexpected(state.error());
        states =
            static_cast<uint16_t>(states | (*state == NUD_NONE ? neighbor_state_none : *state));
    }
    draft.filter.states = states;
    return {};
}

Parsed<void> take_protocol(Draft& draft, Arguments& arguments) {
    const auto word = arguments.value("protocol");
    if (!word) return std::unexpected(word.error());
    if (*word == "all") {
        draft.filter.protocol.reset();
        return {};
    }
    return set_once(draft.filter.protocol, parse_neighbor_protocol(*word, draft.names));
}

Parsed<void> take_prefix(Draft& draft, Arguments& arguments) {
    const auto word = arguments.value("to");
    if (!word) return std::unexpected(word.error());
    if (*word == "default" || *word == "any" || *word == "all") {
        return declined("neighbor: a word for no address");
    }
    auto prefix = parse_prefix(*word, draft.filter.family);
    if (prefix) draft.filter.family = prefix->family;
    return set_once(draft.filter.to, std::move(prefix));
}

Parsed<void> not_native(Draft&, Arguments&) {
    return declined("neighbor: nomaster");
}

constexpr Keyword<Draft> keywords[] = {
    {"dev", take_device},       {"master", take_master<false>},
    {"vrf", take_master<true>}, {"nomaster", not_native},
    {"unused", take_unused},    {"nud", take_states, true, "nud state is bad"},
    {"proxy", take_proxy},      {"protocol", take_protocol, false, "invalid \"protocol\"\n"},
    {"to", take_prefix},
};

Parsed<NeighborFilter> read(const ParseContext& context, Arguments arguments, bool flush) {
    const auto family = neighbor_family(context.options);
    if (!family) return std::unexpected(family.error());
    Draft draft(*family, context.names);
    draft.flush = flush;
    while (!arguments.empty()) {
        const auto taken = take_keyword<Draft>(keywords, draft, arguments);
        if (!taken) return std::unexpected(taken.error());
        if (*taken) continue;
        // All of them: what a show does anyway, and what a flush has to be told.
        if (flush && arguments.take_if("all")) continue;
        if (auto prefix = take_prefix(draft, arguments); !prefix) {
            return std::unexpected(prefix.error());
        }
    }
    return std::move(draft.filter);
}

}  // namespace

Parsed<ObjectResult> parse_neighbor_show(ParseContext& context, Arguments arguments) {
    auto filter = read(context, arguments, false);
    if (!filter) return std::unexpected(filter.error());
    return ObjectResult{NeighborShow{std::move(*filter)}, "show", true};
}

Parsed<ObjectResult> parse_neighbor_flush(ParseContext& context, Arguments arguments) {
    if (arguments.empty()) return refused("Flush requires arguments.\n", 1);
    if (context.options.statistics > 1) return declined("neighbor flush: -s -s");
    auto filter = read(context, arguments, true);
    if (!filter) return std::unexpected(filter.error());
    return ObjectResult{NeighborFlush{std::move(*filter)}, "flush", false};
}

}  // namespace nlsh
