// `ip neighbor add|change|replace|del|get`.
#include <fmt/format.h>
#include <linux/neighbour.h>
#include <sys/socket.h>

#include "backend/objects/neighbor/words/flags.h"
#include "backend/objects/neighbor/words/neighbor.h"
#include "backend/objects/route/words/values.h"
#include "parser/ip/command.h"
#include "parser/ip/keywords.h"
#include "parser/try.h"

namespace nlsh {

namespace {

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
    return set_once(draft.destination, parse_neighbor_address(word, draft.family));
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
    const auto state = TRY(parse_neighbor_state(word));
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
    const auto word = TRY(arguments.value("dev"));
    auto device = TRY(parse_device(word));
    draft.change.device = std::move(device);
    return {};
}

Parsed<void> take_protocol(Draft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("protocol"));
    return set_once(draft.change.protocol, parse_neighbor_protocol(word, draft.names));
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
    const auto family = TRY(neighbor_family(context.options));
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

}  // namespace

template <ChangeVerb Which>
Parsed<Request> parse_neighbor_as(ParseContext& context, Arguments arguments) {
    auto draft = TRY(read(context, arguments));
    draft.change.verb = Which;
    return std::move(draft.change);
}
template Parsed<Request> parse_neighbor_as<ChangeVerb::add>(ParseContext&, Arguments);
template Parsed<Request> parse_neighbor_as<ChangeVerb::change>(ParseContext&, Arguments);
template Parsed<Request> parse_neighbor_as<ChangeVerb::replace>(ParseContext&, Arguments);
template Parsed<Request> parse_neighbor_as<ChangeVerb::remove>(ParseContext&, Arguments);

Parsed<Request> parse_neighbor_get(ParseContext& context, Arguments arguments) {
    const auto family = TRY(neighbor_family(context.options));
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

}  // namespace nlsh
