#include "parser/ip/neighbor/neighbor.h"
#include "parser/ip/refusal.h"

#include <linux/neighbour.h>
#include <sys/socket.h>

#include <bit>

#include "parser/ip/neighbor/object.h"

namespace nlsh {

namespace {

Parsed<ObjectResult> unknown(ParseContext&, Arguments) {
    return declined("neighbor: verb not native");
}

constexpr Verb verbs[] = {
    {"add", parse_neighbor_as<NeighborVerb::add>},
    {"change", parse_neighbor_as<NeighborVerb::change>},
    {"chg", parse_neighbor_as<NeighborVerb::change>, true},
    {"replace", parse_neighbor_as<NeighborVerb::replace>},
    {"delete", parse_neighbor_as<NeighborVerb::del>},
    {"get", parse_neighbor_get},
    {"show", parse_neighbor_show},
    {"lst", parse_neighbor_show},
    {"list", parse_neighbor_show},
    {"flush", parse_neighbor_flush},
    {"help", unknown},
};

struct State {
    std::string_view name;
    uint8_t bit;
};

constexpr State states[] = {
    {"permanent", NUD_PERMANENT}, {"reachable", NUD_REACHABLE}, {"noarp", NUD_NOARP},
    {"none", NUD_NONE},           {"stale", NUD_STALE},         {"incomplete", NUD_INCOMPLETE},
    {"delay", NUD_DELAY},         {"probe", NUD_PROBE},         {"failed", NUD_FAILED},
};

}  // namespace

Parsed<ObjectResult> parse_neighbor(ParseContext& context, Arguments arguments) {
    return parse_verb(context, arguments, verbs, parse_neighbor_show);
}

Parsed<uint8_t> parse_neighbor_state(std::string_view word) {
    const State* found = nullptr;
    for (const State& state : states) {
        if (!matches(word, state.name)) continue;
        if (found) return declined("neighbor: an ambiguous state");
        found = &state;
    }
    if (found) return found->bit;
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
    if (!protocol || *protocol > UINT8_MAX) return bad_value("neighbor: protocol");
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
