#include "backend/objects/neighbor/words/neighbor.h"

#include <fmt/format.h>
#include <linux/neighbour.h>
#include <sys/socket.h>

#include <algorithm>
#include <bit>

#include "backend/objects/neighbor/words/flags.h"
#include "backend/objects/route/words/values.h"
#include "parser/ip/command.h"
#include "parser/ip/keywords.h"
#include "parser/ip/refusal.h"
#include "parser/try.h"

namespace nlsh {
namespace {

struct State {
    std::string_view word;
    uint8_t bit;
    bool exact = true;
};

constexpr State states[] = {
    {"permanent", NUD_PERMANENT, false},
    {"reachable", NUD_REACHABLE, false},
    {"noarp", NUD_NOARP},
    {"none", NUD_NONE},
    {"stale", NUD_STALE},
    {"incomplete", NUD_INCOMPLETE},
    {"delay", NUD_DELAY},
    {"probe", NUD_PROBE},
    {"failed", NUD_FAILED, false},
};

// NUD_* by name (or unambiguous prefix) or number.
Parsed<uint8_t> parse_state(std::string_view word) {
    const auto means = [&](const State& state) { return takes_word(state, word); };
    const auto found = std::ranges::find_if(states, means);
    if (found != std::end(states)) return found->bit;
    auto number = parse_u8(word);
    if (number && !std::has_single_bit(*number)) return declined("neighbor: not one state");
    return number;
}

// Declines "default", "any" and "all".
Parsed<InetPrefix> parse_entry_address(std::string_view word, uint8_t family) {
    if (word == "default" || word == "any" || word == "all") {
        return declined("neighbor: a word for no address");
    }
    auto address = parse_address(word, family);
    if (address && address->size == 0) return declined("neighbor: an address without bytes");
    return address;
}

Parsed<uint8_t> parse_protocol(std::string_view word, const NameTables& names) {
    const auto protocol = names.value(NameKind::protocol, word);
    if (!protocol || *protocol > UINT8_MAX) return unreadable(word, "neighbor: protocol");
    return static_cast<uint8_t>(*protocol);
}

// The family by -4, -6 …. Declines families that nlsh doesn't support here.
Parsed<uint8_t> family_of(const Options& options) {
    const uint8_t family = options.family;
    if (family != AF_UNSPEC && family != AF_INET && family != AF_INET6) {
        return declined("neighbor: family");
    }
    return family;
}

// A change while its words are being read.
struct Draft {
    Draft(uint8_t family, const NameTables& names) : family(family), names(names) {}

    NeighborChange change;
    uint8_t family;
    const NameTables& names;
    std::optional<InetPrefix> destination;
    bool no_destination = false;  // the word for the address means "no address"
    bool link_address_given = false;
    std::optional<Decline> bad_link_address;  // reported after all words
};

Parsed<void> take_destination(Draft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("to"));
    // An abbreviation of "help" asks for the usage text.
    const bool second = draft.destination || draft.no_destination;
    if (second && !matches(word, "help")) return garbage(arguments.traits(), "to", word);
    if (second) return declined("neighbor: two addresses");
    if (draft.family == AF_UNSPEC && is_address_word(word)) {
        draft.no_destination = true;
        return {};
    }
    return set_once(draft.destination, parse_entry_address(word, draft.family));
}

Parsed<void> take_proxy(Draft& draft, Arguments& arguments) {
    draft.change.flags |= NTF_PROXY;
    if (draft.destination && !arguments.empty() && !matches(arguments.peek(), "help")) {
        return duplicate("address", arguments.peek());
    }
    return take_destination(draft, arguments);
}

Parsed<void> take_link_address(Draft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("lladdr"));
    if (draft.link_address_given) return declined("lladdr twice");
    draft.link_address_given = true;
    if (word == "null") return {};
    auto address = parse_link_address(word);
    const bool no_digit = word.find_first_of("0123456789abcdefABCDEF:.") == word.npos;
    if (!address && !word.empty() && no_digit) {
        draft.bad_link_address =
            refused(fmt::format("\"{}\" is invalid lladdr.\n", word), 1).error();
        return {};
    }
    return set_once(draft.change.link_address, std::move(address));
}

Parsed<void> take_state(Draft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("nud"));
    const auto state = TRY(parse_state(word));
    draft.change.state = state;
    return {};
}

Parsed<void> take_flag_or_destination(Draft& draft, Arguments& arguments) {
    const NeighborFlag* flag = TRY(find_row(neighbor_flags, arguments.traits(), arguments.peek()));
    if (flag == nullptr || !flag->read) return take_destination(draft, arguments);
    arguments.take();
    draft.change.flags = static_cast<uint8_t>(draft.change.flags | flag->bit);
    draft.change.extended_flags |= flag->bit >> extended_neighbor_flag;
    if (flag->clears_state) draft.change.state = NUD_NONE;
    return {};
}

Parsed<void> take_device(Draft& draft, Arguments& arguments) {
    return take_last(arguments, "dev", draft.change.device, parse_device);
}

Parsed<void> take_protocol(Draft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("protocol"));
    return set_once(draft.change.protocol, parse_protocol(word, draft.names));
}

constexpr Keyword<Draft> keywords[] = {
    {.word = "lladdr", .take = take_link_address, .exact = false},
    {.word = "nud", .take = take_state, .complaint = "nud state is bad"},
    {.word = "proxy", .take = take_proxy, .exact = false},
    {.word = "dev", .take = take_device},
    {.word = "protocol",
     .take = take_protocol,
     .exact = false,
     .complaint = "\"protocol\" value is invalid\n"},
    {.word = "to", .take = take_destination},
};

Parsed<Draft> read(const ParseContext& context, Arguments arguments) {
    const auto family = TRY(family_of(context.options));
    Draft draft(family, context.names);
    draft.change.state = NUD_PERMANENT;
    TRY(take_words(keywords, draft, arguments, take_flag_or_destination));
    const bool proxy = (draft.change.flags & NTF_PROXY) != 0;
    if (proxy && draft.change.device.empty()) return declined("neighbor: a proxy on no device");
    if (!draft.destination || draft.change.device.empty()) {
        return refused("Device and destination are required arguments.\n");
    }
    if (draft.bad_link_address) return std::unexpected(*std::move(draft.bad_link_address));
    draft.change.destination = *draft.destination;
    return draft;
}

constexpr Keyword<Draft> get_keywords[] = {
    {.word = "dev", .take = take_device},
    {.word = "proxy", .take = take_proxy, .exact = false},
    {.word = "to", .take = take_destination},
};

template <ChangeVerb Which>
Parsed<Request> parse_change(ParseContext& context, Arguments arguments) {
    auto draft = TRY(read(context, arguments));
    draft.change.verb = Which;
    return std::move(draft.change);
}

Parsed<Request> parse_get(ParseContext& context, Arguments arguments) {
    const auto family = TRY(family_of(context.options));
    Draft draft(family, context.names);
    TRY(take_words(get_keywords, draft, arguments, take_destination));
    const bool proxy = (draft.change.flags & NTF_PROXY) != 0;
    if (proxy && draft.change.device.empty()) return declined("neighbor get: proxy of any device");
    if (!draft.destination || draft.change.device.empty()) {
        return refused("Device and address are required arguments.\n", 1);
    }
    return NeighborGet{.device = std::move(draft.change.device),
                       .destination = *draft.destination,
                       .proxy = proxy};
}

// The filter of a show or a flush while its words are being read.
struct Selection : NeighborFilter {
    Selection(uint8_t given, const NameTables& names, bool flush) : names(names), flush(flush) {
        family = given;
    }

    const NameTables& names;
    bool flush;
};

Parsed<void> take_name(std::string& target, Arguments& arguments) {
    const auto word = TRY(arguments.value("dev"));
    if (!target.empty()) return declined("neighbor: a device twice");
    auto device = TRY(parse_device(word));
    target = std::move(device);
    return {};
}

Parsed<void> take_filter_device(Selection& selection, Arguments& arguments) {
    return take_name(selection.device, arguments);
}

template <bool IsVrf>
Parsed<void> take_master(Selection& selection, Arguments& arguments) {
    selection.master_is_vrf = IsVrf;
    return take_name(selection.master, arguments);
}

Parsed<void> take_states(Selection& selection, Arguments& arguments) {
    const auto word = TRY(arguments.value("nud"));
    uint16_t states = selection.states.value_or(0);
    if (word == "all") {
        // A flush keeps entries with NUD_NOARP, unless a word names this state.
        states = static_cast<uint16_t>(selection.flush ? ~NUD_NOARP : ~0);
    } else {
        const auto state = TRY(parse_state(word));
        states = static_cast<uint16_t>(states | (state == NUD_NONE ? neighbor_state_none : state));
    }
    selection.states = states;
    return {};
}

Parsed<void> take_filter_protocol(Selection& selection, Arguments& arguments) {
    const auto word = TRY(arguments.value("protocol"));
    if (word == "all") {
        selection.protocol.reset();
        return {};
    }
    return set_once(selection.protocol, parse_protocol(word, selection.names));
}

Parsed<void> take_prefix(Selection& selection, Arguments& arguments) {
    const auto word = TRY(arguments.value("to"));
    if (word == "default" || word == "any" || word == "all") {
        if (selection.flush || selection.to) return declined("neighbor: a word for no address");
        return {};
    }
    auto prefix = parse_prefix(word, selection.family);
    if (prefix) selection.family = prefix->family;
    return set_once(selection.to, std::move(prefix));
}

Parsed<void> not_native(Selection&, Arguments&) {
    return declined("neighbor: nomaster");
}

constexpr Keyword<Selection> filter_keywords[] = {
    {.word = "dev", .take = take_filter_device},
    {.word = "master", .take = take_master<false>},
    {.word = "vrf", .take = take_master<true>},
    {.word = "nomaster", .take = not_native},
    {.word = "unused", .take = set<&Selection::unused, true>},
    {.word = "nud", .take = take_states, .complaint = "nud state is bad"},
    {.word = "proxy", .take = set<&Selection::proxy, true>},
    {.word = "protocol",
     .take = take_filter_protocol,
     .exact = false,
     .complaint = "invalid \"protocol\"\n"},
    {.word = "to", .take = take_prefix},
};

Parsed<NeighborFilter> read_filter(const ParseContext& context, Arguments arguments, bool flush) {
    const auto family = TRY(family_of(context.options));
    Selection selection(family, context.names, flush);
    while (!arguments.empty()) {
        const auto taken = TRY(take_keyword<Selection>(filter_keywords, selection, arguments));
        if (taken) continue;
        // `all` is a show's default; a flush needs the word.
        if (flush && arguments.take_if("all")) continue;
        TRY(take_prefix(selection, arguments));
    }
    return NeighborFilter(std::move(selection));
}

Parsed<Request> parse_show(ParseContext& context, Arguments arguments) {
    auto filter = TRY(read_filter(context, arguments, false));
    return NeighborShow{std::move(filter)};
}

Parsed<Request> parse_flush(ParseContext& context, Arguments arguments) {
    if (arguments.empty()) return refused("Flush requires arguments.\n", 1);
    const bool lists = context.options.statistics > 1;
    if (lists && (context.options.json || context.options.brief))
        return declined("neighbor flush: -s -s with another format");
    auto filter = TRY(read_filter(context, arguments, true));
    return NeighborFlush{std::move(filter)};
}

constexpr VerbProperties changes{.ends_batch = VerbProperties::Ends::if_it_fails};

constexpr Verb verbs[] = {
    {.words = {"add"}, .parse = parse_change<ChangeVerb::add>, .is = changes},
    {.words = {"change", "chg"}, .parse = parse_change<ChangeVerb::change>, .is = changes},
    {.words = {"replace"}, .parse = parse_change<ChangeVerb::replace>, .is = changes},
    {.words = {"delete"}, .parse = parse_change<ChangeVerb::remove>, .is = changes},
    {.words = {"get"}, .parse = parse_get, .is = shows},
    {.words = {"show", "lst", "list"}, .parse = parse_show, .is = shows},
    {.words = {"flush"}, .parse = parse_flush, .is = flushes},
};

}  // namespace

const Object neighbor_object{.words = {"neighbor", "neighbour"}, .name = "neigh", .verbs = {verbs}};

}  // namespace nlsh
