#include "backend/objects/bridge/words/fdb.h"

#include <fmt/format.h>
#include <linux/neighbour.h>

#include "backend/objects/bridge/words/fdb_rows.h"
#include "parser/ip/command.h"
#include "parser/ip/keywords.h"
#include "parser/try.h"

namespace nlsh {
namespace {

constexpr uint32_t max_vlan = 32767;  // a short, and not negative; the kernel checks the rest

Parsed<uint32_t> parse_vlan(std::string_view word) {
    return parse_decimal(word, max_vlan);
}
Parsed<void> set_address(std::optional<MacAddress>& place, std::string_view word) {
    if (matches(word, "help")) return declined("verb help");
    const auto address = parse_mac(word);
    if (!address && address.error().bad_value)
        return refused(fmt::format("Invalid mac address {}\n", word));
    place = TRY(std::move(address));
    return {};
}

struct Draft : FdbChange {
    Draft(uint8_t family, const NameTables& names) : family(family), names(names) {}

    uint8_t family;  // -4 or -6
    const NameTables& names;
    bool dynamic = false;
    // Errors that bridge finds after all words, or that end its reading.
    std::optional<Decline> bad_address = {};
    std::optional<Decline> garbage = {};
};

Parsed<void> take_vlan(Draft& draft, Arguments& arguments) {
    if (draft.vlan) return garbage(arguments.traits(), "vlan", "vlan");
    return take_once(arguments, "vlan", draft.vlan, parse_vlan);
}

// The error about a second `vlan` quotes the word as written, maybe abbreviated.
Parsed<void> take_vlan_in_short(Draft& draft, Arguments& arguments) {
    return take_once(arguments, "vlan", draft.vlan, parse_vlan);
}

Parsed<void> take_destination(Draft& draft, Arguments& arguments) {
    return take_once(arguments, "dst", draft.destination,
                     [&](std::string_view word) { return parse_address(word, draft.family); });
}

Parsed<void> take_dynamic(Draft& draft, Arguments&) {
    draft.dynamic = true;
    draft.state |= NUD_REACHABLE;
    return {};
}

// What a patched bridge sends and prints isn't known without a proof.
constexpr const char* protocols = "fdb: this iproute2 has protocols";
constexpr uint32_t protocol_hw = 193;  // compiled in, as fdbsyncd expects

Parsed<void> take_protocol(Draft& draft, Arguments& arguments) {
    if (arguments.traits().proof() == nullptr) return declined(protocols);
    const auto word = TRY(arguments.value("protocol"));
    auto protocol = draft.names.value(NameKind::protocol, word);
    if (!protocol && word == "hw") protocol = protocol_hw;
    if (draft.protocol || !protocol || *protocol > UINT8_MAX) return declined("fdb: protocol");
    draft.protocol = static_cast<uint8_t>(*protocol);
    return {};
}

// For the rows that show entries. With a proof, an entry's protocol is seen when it comes.
Parsed<void> without_protocols(const Traits& traits) {
    if (traits.proof() != nullptr) return {};
    if (traits.has(Trait::fdb_protocol)) return declined(protocols);
    if (!traits.lacks(Trait::fdb_protocol))
        return declined(unknown_trait(traits, Trait::fdb_protocol));
    return {};
}

// A word without a keyword: a field, a flag, or an address.
Parsed<void> take_other(Draft& draft, Arguments& arguments) {
    if (TRY(take_field(fdb_fields, draft.fields, arguments))) return {};
    const FdbFlag* flag = TRY(find_row(fdb_flags, arguments.traits(), arguments.peek()));
    if (flag != nullptr && flag->read) {
        arguments.take();
        draft.flags = static_cast<uint8_t>(draft.flags | flag->bit);
        return {};
    }
    const std::string_view word = arguments.take();
    if (word.empty()) return declined("fdb: an empty word");
    if (draft.address && !matches(word, "help")) {
        draft.garbage = garbage(arguments.traits(), "to", word).error();
        return {};
    }
    auto taken = set_address(draft.address, word);
    if (taken || taken.error().message.empty()) return taken;
    draft.address = MacAddress{};
    draft.bad_address = std::move(taken.error());
    return {};
}

// In the order in which bridge tries them.
constexpr Keyword<Draft> change_keywords[] = {
    {.word = "protocol", .take = take_protocol, .exact = false, .since = Trait::fdb_protocol},
    {.word = "dev", .take = last<&FdbChange::device, parse_device>},
    {.word = "nhid",
     .take = once<&FdbChange::nexthop, parse_number>,
     .complaint = "\"id\" value is invalid\n"},
    {.word = "dst", .take = take_destination},
    {.word = "via", .take = once<&FdbChange::via, parse_device>},
    {.word = "to", .take = once<&FdbChange::address, parse_mac>},
    {.word = "permanent",
     .also = {"local"},
     .take = add_bits<&FdbChange::state, NUD_PERMANENT>,
     .exact = false},
    {.word = "static",
     .also = {"temp"},
     .take = add_bits<&FdbChange::state, NUD_REACHABLE>,
     .exact = false},
    {.word = "dynamic", .take = take_dynamic, .exact = false},
    {.word = "vlan", .take = take_vlan},
    {.word = "vlan", .take = take_vlan_in_short, .exact = false},
    {.word = "activity_notify",
     .take = add_bits<&FdbChange::activity, FDB_NOTIFY_BIT>,
     .since = Trait::fdb_activity},
    {.word = "inactive",
     .take = add_bits<&FdbChange::activity, FDB_NOTIFY_INACTIVE_BIT>,
     .since = Trait::fdb_activity},
    {.word = "norefresh", .take = set<&FdbChange::no_refresh, true>, .since = Trait::fdb_activity},
};

// Errors that bridge finds after all words.
Parsed<void> check(const Draft& draft) {
    if (draft.garbage) return std::unexpected(*draft.garbage);
    if (draft.device.empty() || !draft.address) {
        return refused("Device and address are required arguments.\n");
    }
    if (draft.nexthop != 0 && !draft.via.empty()) return declined("fdb: nhid and via");
    if (draft.nexthop != 0 &&
        (draft.destination || draft.fields.find(NDA_PORT) || draft.fields.find(NDA_VNI))) {
        return refused("dst, port, vni are mutually exclusive with nhid\n");
    }
    if (draft.bad_address) return std::unexpected(*draft.bad_address);
    if (draft.destination && draft.destination->size == 0) return declined("fdb: dst any");
    return {};
}

template <ChangeVerb Verb>
Parsed<Request> parse_change(ParseContext& context, Arguments arguments) {
    Draft draft(context.options.family, context.names);
    draft.verb = Verb;
    while (!arguments.empty() && !draft.garbage) {
        const auto known = take_keyword<Draft>(change_keywords, draft, arguments);
        const auto taken = !known   ? std::unexpected(known.error())
                           : *known ? Parsed<void>{}
                                    : take_other(draft, arguments);
        // Look up `via` at once: a missing device must be the first error.
        if (!taken && !draft.via.empty()) return std::unexpected(unexplained(taken.error()));
        TRY(taken);
    }
    if (const auto good = check(draft); !good) return refused_after(draft.via, good.error());
    FdbChange& change = draft;
    if ((change.flags & (NTF_SELF | NTF_MASTER)) == 0) {
        change.flags = static_cast<uint8_t>(change.flags | NTF_SELF);
    }
    // Permanent unless the words say otherwise; static unless dynamic.
    if (change.state == 0) change.state = NUD_PERMANENT;
    if (!draft.dynamic) change.state = static_cast<uint16_t>(change.state | NUD_NOARP);
    return std::move(change);
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

Parsed<void> take_single_vlan(FdbShow& show, Arguments& arguments) {
    return take_single(arguments, "vlan", show.vlan, parse_vlan);
}

constexpr Keyword<FdbShow> show_keywords[] = {
    {.word = "dev", .also = {"brport"}, .take = last<&FdbShow::device, parse_device>},
    {.word = "br", .take = once<&FdbShow::bridge, parse_device>},
    {.word = "vlan", .take = take_single_vlan},
    {.word = "state", .take = once<&FdbShow::state, parse_state>, .complaint = "invalid state"},
    {.word = "dynamic", .take = set<&FdbShow::dynamic, true>},
};

Parsed<Request> parse_show(ParseContext&, Arguments arguments) {
    TRY(without_protocols(arguments.traits()));
    FdbShow show;
    TRY(take_words(show_keywords, show, arguments, skip_word));
    return show;
}

struct GetDraft : FdbGet {
    std::optional<std::string_view> word = {};  // for an address: read when all others have been
};

Parsed<void> take_get_address(GetDraft& draft, Arguments& arguments) {
    const std::string_view word = TRY(arguments.value("to"));
    if (matches(word, "help")) return declined("verb help");
    if (draft.word) return garbage(arguments.traits(), "to", word);
    draft.word = word;
    return {};
}

constexpr Keyword<GetDraft> get_keywords[] = {
    {.word = "dev", .also = {"brport"}, .take = once<&FdbGet::device, parse_device>},
    {.word = "br", .take = once<&FdbGet::bridge, parse_device>},
    {.word = "vni", .take = once<&FdbGet::vni, parse_fdb_vni>},
    {.word = "self", .take = add_bits<&FdbGet::flags, NTF_SELF>},
    {.word = "master", .take = add_bits<&FdbGet::flags, NTF_MASTER>, .exact = false},
    {.word = "dynamic", .take = set<&FdbGet::dynamic, true>, .exact = false},
    {.word = "vlan", .take = once<&FdbGet::vlan, parse_vlan>, .exact = false},
    {.word = "to", .take = take_get_address},
};

Parsed<Request> parse_get(ParseContext&, Arguments arguments) {
    TRY(without_protocols(arguments.traits()));
    GetDraft draft;
    TRY(take_words(get_keywords, draft, arguments, take_get_address));
    if (!draft.word || (draft.device.empty() && draft.bridge.empty())) {
        return refused("Device or master and address are required arguments.\n");
    }
    TRY(set_address(draft.address, *draft.word));
    return FdbGet(std::move(draft));
}

constexpr VerbProperties changes{.queued = true};

constexpr Verb verbs[] = {
    {.words = {"add"}, .parse = parse_change<ChangeVerb::add>, .is = changes},
    {.words = {"append"}, .parse = parse_change<ChangeVerb::append>, .is = changes},
    {.words = {"replace"}, .parse = parse_change<ChangeVerb::replace>, .is = changes},
    {.words = {"delete"}, .parse = parse_change<ChangeVerb::remove>, .is = changes},
    {.words = {"get"}, .parse = parse_get, .is = shows_filtered},
    {.words = {"show", "lst", "list"}, .parse = parse_show, .is = shows_filtered},
    {.words = {"flush"},
     .parse = parse_fdb_flush,
     .exact = true,
     .is = flushes,
     .since = Trait::fdb_flush},
};

}  // namespace

const Object fdb_object{.words = {"fdb"}, .name = "fdb", .verbs = {verbs}, .keeps_usage = true};

}  // namespace nlsh
