#include "backend/objects/tunnel/words/tuntap.h"

#include <fmt/format.h>
#include <linux/if_tun.h>

#include <algorithm>

#include "backend/objects/bridge/words/values.h"
#include "parser/ip/command.h"
#include "parser/ip/refusal.h"
#include "parser/try.h"

namespace nlsh {
namespace {

constexpr std::string_view keywords[] = {"dev",       "name", "mode",     "user",        "group",
                                         "one_queue", "pi",   "vnet_hdr", "multi_queue", "help"};

struct State {
    TuntapChange change;
    Traits traits;
    bool mode = false;
};

// `dev` takes the place of a name that stands before it.
Parsed<void> take_name(State& state, std::string_view word, bool replaces = false) {
    if (!state.change.name.empty() && !replaces) return garbage(state.traits, "name", word);
    auto name = parse_device(word);
    const bool no_name = word.size() > 15 || word.contains('/');
    if (!name && no_name && replaces) {
        return refused(
            fmt::format("Error: argument \"{}\" is wrong: \"dev\" not a valid ifname\n", word));
    }
    if (!name) return std::unexpected(name.error());
    state.change.name = std::move(*name);
    return {};
}

Parsed<void> take_mode(State& state, std::string_view word) {
    if (state.mode) return refused("You managed to ask for more than one tunnel mode.\n");
    const bool tun = matches(word, "tun");
    if (!tun && !matches(word, "tap")) {
        return refused(fmt::format("Unknown tunnel mode \"{}\"\n", word));
    }
    state.mode = true;
    state.change.flags = static_cast<uint16_t>(state.change.flags | (tun ? IFF_TUN : IFF_TAP));
    return {};
}

Parsed<void> take_value(State& state, std::string_view keyword, std::string_view word) {
    if (keyword == "mode") return take_mode(state, word);
    if (keyword == "dev" || keyword == "name") return take_name(state, word, keyword == "dev");
    // Names are in databases that only the C library reads.
    const auto account = parse_decimal(word, INT32_MAX);
    if (!account) return declined("tuntap: user or group");
    (keyword == "user" ? state.change.owner : state.change.group) = *account;
    return {};
}

// Keywords without a value; IFF_NO_PI is set unless `pi` is said.
bool take_flag(State& state, std::string_view word) {
    constexpr std::pair<std::string_view, uint16_t> flags[] = {
        {"one_queue", IFF_ONE_QUEUE},
        {"vnet_hdr", IFF_VNET_HDR},
        {"multi_queue", IFF_MULTI_QUEUE},
    };
    uint16_t& value = state.change.flags;
    if (word == "pi") {
        value = static_cast<uint16_t>(value & ~IFF_NO_PI);
        return true;
    }
    const auto* found =
        std::ranges::find(flags, word, &std::pair<std::string_view, uint16_t>::first);
    if (found == std::end(flags)) return false;
    value = static_cast<uint16_t>(value | found->second);
    return true;
}

template <bool Persist>
Parsed<Request> parse_change(ParseContext&, Arguments arguments) {
    State state{.change = {}, .traits = arguments.traits()};
    state.change.persist = Persist;
    state.change.flags = static_cast<uint16_t>(IFF_NO_PI | (Persist ? IFF_TUN_EXCL : 0));
    while (!arguments.empty()) {
        const std::string_view word = arguments.take();
        if (take_flag(state, word)) continue;
        // For a delete these are names.
        const bool is_name = !Persist && (word == "user" || word == "group");
        const bool known = !is_name && std::ranges::find(keywords, word) != std::end(keywords);
        Parsed<void> taken;
        if (known) {
            const auto value = TRY(arguments.value(word));
            taken = take_value(state, word, value);
        } else if (!is_name &&
                   std::ranges::any_of(keywords, [&](auto k) { return matches(word, k); })) {
            return declined("tuntap: an abbreviation");
        } else {
            taken = take_name(state, word);
        }
        if (!taken) return std::unexpected(taken.error());
    }
    if (!state.mode) return refused("You failed to specify a tunnel mode\n", 1);
    return std::move(state.change);
}

Parsed<Request> parse_show(ParseContext& context, Arguments) {
    if (context.options.details > 0) return declined("tuntap: processes");
    return TuntapShow{};
}

constexpr Verb verbs[] = {
    {.words = {"add"}, .parse = parse_change<true>},
    {.words = {"delete"}, .parse = parse_change<false>, .is = {.memory = {.deletes_others = true}}},
    {.words = {"show", "lst", "list"}, .parse = parse_show, .is = {.read_only = true}},
};

}  // namespace

const Object tuntap_object{.words = {"tuntap", "tap"}, .name = "tuntap", .verbs = {verbs}};

}  // namespace nlsh
