#include "backend/objects/neighbor/words/neighbor.h"
#include "parser/ip/refusal.h"

#include <linux/neighbour.h>
#include <sys/socket.h>

#include <algorithm>
#include <bit>

#include "parser/ip/command.h"
#include "parser/ip/keywords.h"

namespace nlsh {

namespace {

constexpr VerbProperties changes{.ends_batch = VerbProperties::Ends::if_it_fails};

constexpr Verb verbs[] = {
    {.words = {"add"}, .parse = parse_neighbor_as<ChangeVerb::add>, .is = changes},
    {.words = {"change", "chg"}, .parse = parse_neighbor_as<ChangeVerb::change>, .is = changes},
    {.words = {"replace"}, .parse = parse_neighbor_as<ChangeVerb::replace>, .is = changes},
    {.words = {"delete"}, .parse = parse_neighbor_as<ChangeVerb::remove>, .is = changes},
    {.words = {"get"}, .parse = parse_neighbor_get, .is = shows},
    {.words = {"show", "lst", "list"}, .parse = parse_neighbor_show, .is = shows},
    {.words = {"flush"}, .parse = parse_neighbor_flush, .is = flushes},
};

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

}  // namespace

const Object neighbor_object{.words = {"neighbor", "neighbour"}, .name = "neigh", .verbs = {verbs}};

Parsed<uint8_t> parse_neighbor_state(std::string_view word) {
    const auto means = [&](const State& state) { return takes_word(state, word); };
    const auto found = std::ranges::find_if(states, means);
    if (found != std::end(states)) return found->bit;
    auto number = parse_u8(word);
    if (number && !std::has_single_bit(*number)) return declined("neighbor: not one state");
    return number;
}

Parsed<InetPrefix> parse_neighbor_address(std::string_view word, uint8_t family) {
    if (word == "default" || word == "any" || word == "all") {
        return declined("neighbor: a word for no address");
    }
    auto address = parse_address(word, family);
    if (address && address->size == 0) return declined("neighbor: an address without bytes");
    return address;
}

Parsed<uint8_t> parse_neighbor_protocol(std::string_view word, const NameTables& names) {
    const auto protocol = names.value(NameKind::protocol, word);
    if (!protocol || *protocol > UINT8_MAX) return unreadable(word, "neighbor: protocol");
    return static_cast<uint8_t>(*protocol);
}

Parsed<uint8_t> neighbor_family(const Options& options) {
    const uint8_t family = options.family;
    if (family != AF_UNSPEC && family != AF_INET && family != AF_INET6) {
        return declined("neighbor: family");
    }
    return family;
}

}  // namespace nlsh
