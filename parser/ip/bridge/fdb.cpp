#include "parser/ip/bridge/fdb.h"

#include <fmt/format.h>
#include <linux/neighbour.h>
#include <sys/socket.h>

#include <algorithm>

#include "parser/ip/command.h"
#include "parser/ip/lenient_values.h"
#include "parser/ip/lookup_refusal.h"
#include "parser/ip/take_last.h"

namespace nlsh {
namespace {

constexpr uint32_t max_vlan = 32767;  // a short, and not negative; the kernel checks the rest
constexpr uint32_t max_vni = (1 << 24) - 1;

Parsed<uint32_t> parse_vlan(std::string_view word) {
    return parse_decimal(word, max_vlan);
}
Parsed<uint32_t> parse_vni(std::string_view word) {
    return parse_u32(word, max_vni);
}
Parsed<uint32_t> parse_number(std::string_view word) {
    return parse_u32(word);
}
// By number; names of /etc/services are left to the real one.
Parsed<uint32_t> parse_port(std::string_view word) {
    return parse_u32(word, UINT16_MAX);
}

// Words without a value, in the order in which bridge tries them: a prefix is enough for most.
struct Flag {
    std::string_view word;
    uint8_t flags;
    uint16_t state;
    bool dynamic = false;
    bool exact = false;
};
constexpr Flag change_flags[] = {
    {"self", NTF_SELF, 0, false, true},
    {"master", NTF_MASTER, 0},
    {"router", NTF_ROUTER, 0},
    {"local", 0, NUD_PERMANENT},
    {"permanent", 0, NUD_PERMANENT},
    {"temp", 0, NUD_REACHABLE},
    {"static", 0, NUD_REACHABLE},
    {"dynamic", 0, NUD_REACHABLE, true},
    {"use", NTF_USE, 0},
    {"extern_learn", NTF_EXT_LEARNED, 0},
    {"sticky", NTF_STICKY, 0},
};

// Words with a value; nothing when `word` isn't one of them.
std::optional<Parsed<void>> parse_change_value(ParseContext& context, Arguments& arguments,
                                               std::string_view word, FdbChange& change) {
    const uint8_t family = context.options.family;
    if (word == "dev") return take_last(arguments, word, change.device, parse_device);
    if (word == "nhid") {
        return take_once(arguments, word, change.nexthop, parse_number,
                         "\"id\" value is invalid\n");
    }
    if (word == "dst") {
        return take_once(arguments, word, change.destination,
                         [=](std::string_view text) { return parse_address(text, family); });
    }
    if (word == "port") return take_once(arguments, word, change.port, parse_port);
    if (word == "vni") {
        return take_once(arguments, word, change.vni, parse_vni, "invalid VNI\n");
    }
    if (word == "src_vni") {
        return take_once(arguments, word, change.source_vni, parse_vni, "invalid src VNI\n");
    }
    if (word == "via") return take_once(arguments, word, change.via, parse_device);
    if (word == "to") return take_once(arguments, word, change.address, parse_mac);
    return std::nullopt;
}

Parsed<void> set_address(std::optional<MacAddress>& place, std::string_view word) {
    if (matches(word, "help")) return declined("verb help");
    if (place) return garbage("to", word);
    const auto address = parse_mac(word);
    if (!address && address.error().bad_value)
        return refused(fmt::format("Invalid mac address {}\n", word));
    if (!address) return std::unexpected(address.error());
    place = *address;
    return {};
}

// What bridge looks at when it has read all words.
struct Rest {
    bool dynamic = false;
    std::optional<Decline> bad_address = {};
};

Parsed<void> parse_change_word(ParseContext& context, Arguments& arguments, FdbChange& change,
                               Rest& rest) {
    const std::string_view word = arguments.take();
    if (auto parsed = parse_change_value(context, arguments, word, change)) return *parsed;
    const auto flag = std::ranges::find_if(change_flags, [&](const Flag& entry) {
        return entry.exact ? entry.word == word : matches(word, entry.word);
    });
    if (flag != std::end(change_flags)) {
        change.flags = static_cast<uint8_t>(change.flags | flag->flags);
        change.state = static_cast<uint16_t>(change.state | flag->state);
        rest.dynamic = rest.dynamic || flag->dynamic;
        return {};
    }
    if (matches(word, "vlan") && change.vlan) return garbage("vlan", "vlan");
    if (matches(word, "vlan")) return take_once(arguments, word, change.vlan, parse_vlan);
    if (word.empty()) return declined("fdb: an empty word");
    if (change.address && !matches(word, "help")) {
        change.garbage = word;
        return {};
    }
    auto taken = set_address(change.address, word);
    if (taken || taken.error().message.empty()) return taken;
    change.address = MacAddress{};
    rest.bad_address = std::move(taken.error());
    return {};
}

template <FdbVerb Verb>
Parsed<ObjectResult> parse_change(ParseContext& context, Arguments arguments) {
    FdbChange change;
    change.verb = Verb;
    Rest rest;
    while (!arguments.empty() && change.garbage.empty()) {
        if (auto parsed = parse_change_word(context, arguments, change, rest); !parsed) {
            // A `via` is looked up at once: its device may be what is missing.
            return std::unexpected(change.via.empty() ? parsed.error()
                                                      : unexplained(parsed.error()));
        }
    }
    static constexpr const char* names[] = {"add", "append", "replace", "delete"};
    const char* verb = names[static_cast<size_t>(Verb)];
    if (!change.garbage.empty() && !change.via.empty()) {
        return refused_after(change.via, garbage("to", change.garbage).error());
    }
    if (!change.garbage.empty()) return ObjectResult{std::move(change), verb, true};
    if (!change.via.empty() && (change.device.empty() || !change.address)) {
        return refused_after(change.via,
                             refused("Device and address are required arguments.\n").error());
    }
    if (change.device.empty() || !change.address) {
        return refused("Device and address are required arguments.\n");
    }
    if (change.nexthop != 0 && !change.via.empty()) return declined("fdb: nhid and via");
    if (change.nexthop != 0 && (change.destination || change.port != 0 || change.vni)) {
        return refused("dst, port, vni are mutually exclusive with nhid\n");
    }
    if (rest.bad_address) return refused_after(change.via, *std::move(rest.bad_address));
    if (change.destination && change.destination->size == 0) return declined("fdb: dst any");
    if ((change.flags & (NTF_SELF | NTF_MASTER)) == 0) {
        change.flags = static_cast<uint8_t>(change.flags | NTF_SELF);
    }
    // Permanent unless said otherwise; static unless dynamic.
    if (change.state == 0) change.state = NUD_PERMANENT;
    if (!rest.dynamic) change.state = static_cast<uint16_t>(change.state | NUD_NOARP);
    return ObjectResult{std::move(change), verb, false};
}

struct State {
    std::string_view word;
    uint32_t bits;
};
constexpr State states[] = {
    {"permanent", NUD_PERMANENT}, {"static", NUD_NOARP},        {"temp", NUD_NOARP},
    {"stale", NUD_STALE},         {"reachable", NUD_REACHABLE}, {"dynamic", NUD_REACHABLE},
};

Parsed<uint32_t> parse_state(std::string_view word) {
    for (const State& state : states) {
        if (matches(word, state.word)) return state.bits;
    }
    if (word == "all") return UINT32_MAX;
    const auto bits = parse_u32(word);
    return bits ? bits : bad_value("fdb: state");
}

Parsed<ObjectResult> parse_show(ParseContext& context, Arguments arguments) {
    // A filter stays for the lines after it.
    if (context.options.batch) return declined("fdb show in a batch");
    FdbShow show;
    while (!arguments.empty()) {
        const std::string_view word = arguments.take();
        Parsed<void> parsed;
        if (word == "dev" || word == "brport") {
            parsed = take_last(arguments, word, show.device, parse_device);
        } else if (word == "br") {
            parsed = take_once(arguments, word, show.bridge, parse_device);
        } else if (word == "vlan") {
            parsed = take_single(arguments, word, show.vlan, parse_vlan);
        } else if (word == "state") {
            parsed = take_once(arguments, word, show.state, parse_state, "invalid state");
        } else if (word == "dynamic") {
            show.dynamic = true;
        } else if (matches(word, "help")) {
            parsed = declined("fdb show: help");
        }  // other words don't count
        if (!parsed) return std::unexpected(parsed.error());
    }
    return ObjectResult{std::move(show), "show", true};
}

// The word for an address is read when all others have been.
Parsed<void> parse_get_word(Arguments& arguments, FdbGet& get,
                            std::optional<std::string_view>& address) {
    std::string_view word = arguments.take();
    if (word == "dev" || word == "brport") {
        return take_once(arguments, word, get.device, parse_device);
    }
    if (word == "br") return take_once(arguments, word, get.bridge, parse_device);
    if (word == "vni") return take_once(arguments, word, get.vni, parse_vni);
    if (word == "self") {
        get.flags = static_cast<uint8_t>(get.flags | NTF_SELF);
        return {};
    }
    if (matches(word, "master")) {
        get.flags = static_cast<uint8_t>(get.flags | NTF_MASTER);
        return {};
    }
    if (matches(word, "dynamic")) {
        get.dynamic = true;
        return {};
    }
    if (matches(word, "vlan")) return take_once(arguments, word, get.vlan, parse_vlan);
    if (word == "to") {
        const auto value = arguments.value(word);
        if (!value) return std::unexpected(value.error());
        word = *value;
    }
    if (matches(word, "help")) return declined("verb help");
    if (address) return garbage("to", word);
    address = word;
    return {};
}

Parsed<ObjectResult> parse_get(ParseContext& context, Arguments arguments) {
    if (context.options.batch) return declined("fdb get in a batch");
    FdbGet get;
    std::optional<std::string_view> address;
    while (!arguments.empty()) {
        if (auto parsed = parse_get_word(arguments, get, address); !parsed) {
            return std::unexpected(parsed.error());
        }
    }
    if (!address || (get.device.empty() && get.bridge.empty())) {
        return refused("Device or master and address are required arguments.\n");
    }
    if (const auto taken = set_address(get.address, *address); !taken) {
        return std::unexpected(taken.error());
    }
    return ObjectResult{std::move(get), "get", true};
}

// A word sets bits and makes others count; `no` before it clears them.
struct FlushWord {
    std::string_view word;
    uint8_t set_flags, flags_mask;
    uint16_t set_state, state_mask;
    uint16_t no_set_state, no_clear_state, no_mask;  // of the state, with `no`
};
constexpr FlushWord flush_words[] = {
    {"permanent", 0, 0, NUD_PERMANENT, NUD_PERMANENT, 0, NUD_PERMANENT, NUD_PERMANENT},
    {"static", 0, 0, NUD_NOARP, NUD_NOARP | NUD_PERMANENT, 0, NUD_NOARP, NUD_NOARP},
    {"dynamic", 0, 0, 0, NUD_NOARP | NUD_PERMANENT, NUD_NOARP, 0, NUD_NOARP},
    {"added_by_user", NTF_USE, NTF_USE, 0, 0, 0, 0, 0},
    {"extern_learn", NTF_EXT_LEARNED, NTF_EXT_LEARNED, 0, 0, 0, 0, 0},
    {"sticky", NTF_STICKY, NTF_STICKY, 0, 0, 0, 0, 0},
    {"offloaded", NTF_OFFLOADED, NTF_OFFLOADED, 0, 0, 0, 0, 0},
};

// bridge skips words that it doesn't know.
Parsed<void> parse_flush_word(std::string_view word, FdbFlush& flush) {
    const bool negated = word.starts_with("no");
    const std::string_view name = word.substr(negated ? 2 : 0);
    const auto* found = std::ranges::find(flush_words, name, &FlushWord::word);
    if (found == std::end(flush_words)) {
        if (matches(word, "help")) return declined("verb help");
        return {};
    }
    const auto set = [](auto& bits, unsigned more, unsigned less) {
        bits = static_cast<std::remove_reference_t<decltype(bits)>>((bits & ~less) | more);
    };
    set(flush.flags, negated ? 0 : found->set_flags, negated ? found->set_flags : 0U);
    set(flush.flags_mask, found->flags_mask, 0);
    set(flush.state, negated ? found->no_set_state : found->set_state,
        negated ? found->no_clear_state : 0U);
    set(flush.state_mask, negated ? found->no_mask : found->state_mask, 0);
    return {};
}

Parsed<ObjectResult> parse_flush(ParseContext&, Arguments arguments) {
    FdbFlush flush;
    uint8_t direction = 0;
    while (!arguments.empty()) {
        const std::string_view word = arguments.take();
        Parsed<void> parsed;
        if (word == "dev") {
            parsed = take_once(arguments, word, flush.device, parse_device);
        } else if (word == "brport") {
            parsed = take_once(arguments, word, flush.port, parse_device);
        } else if (word == "vlan") {
            if (flush.vlan) return garbage("vlan", "vlan");
            parsed = take_once(arguments, word, flush.vlan, [](std::string_view text) {
                return parse_leading_digits(text, INT16_MAX);
            });
        } else if (word == "self" || word == "master") {
            direction = static_cast<uint8_t>(direction | (word == "self" ? NTF_SELF : NTF_MASTER));
        } else {
            parsed = parse_flush_word(word, flush);
        }
        if (!parsed) return std::unexpected(parsed.error());
    }
    if (flush.device.empty()) return refused("Device is a required argument.\n");
    if (flush.vlan >= 4096U) {
        if (!flush.port.empty()) return declined("fdb flush: a bad VLAN of a port");
        auto refusal = refused(fmt::format("Invalid VLAN ID \"{}\"\n", *flush.vlan));
        return refused_after(flush.device, refusal.error(), "Cannot find bridge device \"{}\"\n");
    }
    flush.flags = static_cast<uint8_t>(flush.flags | (direction != 0 ? direction : NTF_SELF));
    return ObjectResult{std::move(flush), "flush", false};
}

constexpr Verb verbs[] = {
    {"add", parse_change<FdbVerb::add>},
    {"append", parse_change<FdbVerb::append>},
    {"replace", parse_change<FdbVerb::replace>},
    {"delete", parse_change<FdbVerb::del>},
    {"get", parse_get},
    {"show", parse_show},
    {"lst", parse_show},
    {"list", parse_show},
    {"flush", parse_flush, true},
};

}  // namespace

Parsed<ObjectResult> parse_fdb(ParseContext& context, Arguments arguments) {
    return parse_verb(context, arguments, verbs, parse_show);
}

}  // namespace nlsh
