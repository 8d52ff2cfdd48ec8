#include "backend/objects/address/words/address.h"

#include <fmt/format.h>
#include <linux/if_addr.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include <algorithm>

#include "backend/objects/address/words/flags.h"
#include "parser/ip/command.h"
#include "parser/ip/keywords.h"
#include "parser/ip/refusal.h"
#include "parser/try.h"

namespace nlsh {
namespace {

enum class BroadcastRule : uint8_t { none, ones, zeros };  // "+" and "-"

// A change while its words are being read.
struct Draft {
    Draft(uint8_t family, const NameTables& names) : family(family), names(names) {}

    AddressChange change;
    uint8_t family;  // from -4/-6, or from the first address
    const NameTables& names;
    std::optional<InetPrefix> local;
    std::optional<InetPrefix> peer;
    std::optional<uint8_t> scope;
    std::optional<uint32_t> valid;
    std::optional<uint32_t> preferred;
    BroadcastRule rule = BroadcastRule::none;
    std::string_view local_text = {};  // as it was written
    // Whether a label must begin with the device's name.
    Traits::Answer bound_label = Traits::Answer::no;
};

// "default", "any" and "all" follow special rules, so the line falls back.
Parsed<InetPrefix> settle(Draft& draft, Parsed<InetPrefix> prefix) {
    if (!prefix) return prefix;
    if (prefix->size == 0) return declined("an address without bytes");
    draft.family = prefix->family;
    return prefix;
}

bool is_special(std::string_view word) {
    return word == "default" || word == "any" || word == "all";
}

Parsed<InetPrefix> take_prefix(Draft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("address"));
    if (is_special(word)) return declined("address: a word for no address");
    return settle(draft, parse_prefix(word, draft.family));
}

Parsed<InetPrefix> take_address(Draft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("address"));
    if (is_special(word)) return declined("address: a word for no address");
    return settle(draft, parse_address(word, draft.family));
}

// Words that iproute2 knows here besides the keywords: flags that it only warns about, and "help".
bool is_known_flag(std::string_view word) {
    constexpr std::string_view flags[] = {"secondary", "temporary", "deprecated",    "dadfailed",
                                          "tentative", "permanent", "dynamic",       "primary",
                                          "proto",     "ipv6only",  "stable-privacy"};
    // "proto" is a keyword in builds that know it.
    return word.starts_with('-') || matches(word, "help") ||
           std::ranges::find(flags, word) != std::end(flags);
}

Parsed<void> take_local(Draft& draft, Arguments& arguments) {
    if (draft.local && !arguments.empty() && !is_known_flag(arguments.peek())) {
        return garbage(arguments.traits(), "local", arguments.peek());
    }
    if (!arguments.empty() && is_known_flag(arguments.peek())) return declined("address: a flag");
    if (!arguments.empty()) draft.local_text = arguments.peek();
    return set_once(draft.local, take_prefix(draft, arguments));
}

Parsed<void> take_peer(Draft& draft, Arguments& arguments) {
    return set_once(draft.peer, take_prefix(draft, arguments));
}

Parsed<void> take_broadcast(Draft& draft, Arguments& arguments) {
    if (draft.change.broadcast || draft.rule != BroadcastRule::none) {
        if (arguments.empty()) return declined("broadcast twice");
        return duplicate("broadcast", arguments.peek());
    }
    if (arguments.take_if("+")) {
        draft.rule = BroadcastRule::ones;
        return {};
    }
    if (arguments.take_if("-")) {
        draft.rule = BroadcastRule::zeros;
        return {};
    }
    return set_once(draft.change.broadcast, take_address(draft, arguments));
}

Parsed<void> take_anycast(Draft& draft, Arguments& arguments) {
    return set_once(draft.change.anycast, take_address(draft, arguments));
}

Parsed<void> take_scope(Draft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("scope"));
    const auto scope = draft.names.value(NameKind::scope, word);
    if (!scope || *scope > UINT8_MAX) return unreadable(word, "address: scope");
    return set_once(draft.scope, Parsed<uint8_t>(static_cast<uint8_t>(*scope)));
}

Parsed<void> take_device(Draft& draft, Arguments& arguments) {
    return take_last(arguments, "dev", draft.change.device, parse_device);
}

Parsed<void> take_label(Draft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("label"));
    if (word.size() >= 16) return declined("address: a long label");
    draft.bound_label = arguments.traits().counts(Trait::always, Trait::any_label);
    return set_once(draft.change.label, Parsed<std::string>(std::string(word)));
}

Parsed<void> take_metric(Draft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("metric"));
    return set_once(draft.change.metric, parse_u32(word));
}

// A number or a compiled-in name; names from files fall back.
Parsed<uint8_t> parse_protocol(std::string_view word) {
    const auto name = std::ranges::find(address_protocols, word);
    if (name == std::begin(address_protocols)) return declined("address: no protocol");
    if (name != std::end(address_protocols))
        return static_cast<uint8_t>(name - std::begin(address_protocols));
    return parse_u8(word);
}

Parsed<void> take_protocol(Draft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("proto"));
    return set_once(draft.change.protocol, parse_protocol(word));
}

Parsed<uint32_t> take_lifetime(Arguments& arguments) {
    const auto word = TRY(arguments.value("lifetime"));
    if (word == "forever") return UINT32_MAX;
    return parse_u32(word);
}

Parsed<void> take_valid(Draft& draft, Arguments& arguments) {
    return set_once(draft.valid, take_lifetime(arguments));
}

Parsed<void> take_preferred(Draft& draft, Arguments& arguments) {
    return set_once(draft.preferred, take_lifetime(arguments));
}

// Takes a flag or the address. A flag of IPv6 falls back unless the family is IPv6 by now: iproute2
// only warns.
Parsed<void> take_flag_or_local(Draft& draft, Arguments& arguments) {
    const auto* const flag = std::ranges::find(address_flags, arguments.peek(), &AddressFlag::word);
    using Read = AddressFlag::Read;
    if (flag == std::end(address_flags) || flag->read == Read::never)
        return take_local(draft, arguments);
    arguments.take();
    if (flag->read == Read::inet6 && draft.family != AF_INET6)
        return declined("address: a flag of IPv6");
    draft.change.flags |= flag->bit;
    return {};
}

constexpr Keyword<Draft> keywords[] = {
    {.word = "peer", .also = {"remote"}, .take = take_peer},
    {.word = "broadcast", .take = take_broadcast, .exact = false},
    {.word = "brd", .take = take_broadcast},
    {.word = "anycast", .take = take_anycast},
    {.word = "scope", .take = take_scope, .complaint = "invalid scope value."},
    {.word = "dev", .take = take_device},
    {.word = "label", .take = take_label},
    {.word = "metric",
     .also = {"priority", "preference"},
     .take = take_metric,
     .exact = false,
     .complaint = "\"metric\" value is invalid\n"},
    {.word = "proto",
     .take = take_protocol,
     .complaint = "\"proto\" value is invalid\n",
     .since = Trait::address_protocol},
    {.word = "valid_lft", .take = take_valid, .exact = false, .complaint = "valid_lft value"},
    {.word = "preferred_lft",
     .take = take_preferred,
     .exact = false,
     .complaint = "preferred_lft value"},
    {.word = "local", .take = take_local},
};

// The address with all host bits one or zero; nothing for prefixes longer than /30.
std::optional<InetPrefix> broadcast_of(const InetPrefix& prefix, BroadcastRule rule) {
    if (prefix.bits > 30) return std::nullopt;
    InetPrefix broadcast = prefix;
    for (unsigned bit = prefix.bits; bit < 32; bit++) {
        const auto mask = static_cast<uint8_t>(0x80U >> (bit % 8));
        uint8_t& byte = broadcast.bytes[bit / 8];
        byte = static_cast<uint8_t>(rule == BroadcastRule::ones ? byte | mask : byte & ~mask);
    }
    return broadcast;
}

// Whether `del` names an IPv4 address without a prefix length, which matches every length.
bool is_wildcard(const Draft& draft) {
    return draft.change.verb == ChangeVerb::remove && !draft.peer && draft.family == AF_INET &&
           !draft.local->has_bits;
}

// iproute2's warning about a wildcard repeats the address as written.
bool is_written_in_full(const Draft& draft) {
    const auto& bytes = draft.local->bytes;
    return draft.local_text == fmt::format("{}.{}.{}.{}", bytes[0], bytes[1], bytes[2], bytes[3]);
}

// Older builds refuse labels without the device's name.
bool is_bad_label(const AddressChange& change) {
    const std::string& label = *change.label;
    return !label.starts_with(change.device) ||
           (label.size() > change.device.size() && label[change.device.size()] != ':');
}

// Errors that iproute2 finds before it looks up the device.
Parsed<void> check(const Draft& draft) {
    if (draft.change.device.empty()) {
        return refused("Not enough information: \"dev\" argument is required.\n", 1);
    }
    if (!draft.local) return declined("address: none given");
    if (draft.bound_label != Traits::Answer::no && is_bad_label(draft.change)) {
        if (draft.bound_label == Traits::Answer::unknown)
            return declined("address: a label without its device");
        return refused(fmt::format("\"label\" ({}) must match \"dev\" ({}) or be prefixed by "
                                   "\"dev\" with a colon.\n",
                                   *draft.change.label, draft.change.device),
                       1);
    }
    if (is_wildcard(draft) && !is_written_in_full(draft)) {
        return declined("address: a wildcard in short");
    }
    if (is_wildcard(draft) &&
        (draft.change.broadcast || draft.change.anycast || draft.rule != BroadcastRule::none)) {
        return declined("address: a wildcard with a broadcast address");
    }
    const bool deletes = draft.change.verb == ChangeVerb::remove;
    if (draft.rule != BroadcastRule::none && draft.family != AF_INET && !deletes) {
        return refused("Broadcast can be set only for IPv4 addresses\n", 1);
    }
    return {};
}

// Errors that iproute2 finds after it has looked up the device.
Parsed<void> check_late(Draft& draft) {
    if (draft.valid || draft.preferred) {
        const AddressLifetimes lifetimes{.valid = draft.valid.value_or(UINT32_MAX),
                                         .preferred = draft.preferred.value_or(UINT32_MAX)};
        if (lifetimes.valid == 0) return refused("valid_lft is zero\n", 1);
        if (lifetimes.preferred > lifetimes.valid) {
            return refused("preferred_lft is greater than valid_lft\n", 1);
        }
        draft.change.lifetimes = lifetimes;
    }
    if ((draft.change.flags & IFA_F_MCAUTOJOIN) && !is_multicast(*draft.local)) {
        return refused("autojoin needs multicast address\n", 1);
    }
    return {};
}

AddressChange complete(Draft draft) {
    AddressChange& change = draft.change;
    const bool deletes = change.verb == ChangeVerb::remove;
    change.family = draft.family;
    change.wildcard = is_wildcard(draft);
    change.local = *draft.local;
    change.address = draft.peer ? *draft.peer : *draft.local;
    change.bits = change.address.bits != 0 ? change.address.bits : draft.local->bits;
    if (draft.rule != BroadcastRule::none && !deletes) {
        change.broadcast = broadcast_of(change.address, draft.rule);
    }
    const bool loopback = draft.family == AF_INET && change.local.bytes[0] == 127;
    change.scope = draft.scope.value_or(!deletes && loopback ? RT_SCOPE_HOST : RT_SCOPE_UNIVERSE);
    return std::move(change);
}

Parsed<Draft> read(const ParseContext& context, ChangeVerb verb, Arguments arguments) {
    Draft draft(context.options.family, context.names);
    if (draft.family != AF_UNSPEC && draft.family != AF_INET && draft.family != AF_INET6) {
        return declined("address: family");
    }
    draft.change.verb = verb;
    TRY(take_words(keywords, draft, arguments, take_flag_or_local));
    TRY(check(draft));
    return draft;
}

template <ChangeVerb Which>
Parsed<Request> parse_change(ParseContext& context, Arguments arguments) {
    auto draft = TRY(read(context, Which, arguments));
    if (auto good = check_late(draft); !good) {
        // iproute2 prints a wildcard's warning before this error.
        const bool warned = is_wildcard(draft);
        return refused_after(draft.change.device,
                             warned ? unexplained(good.error()) : good.error());
    }
    return complete(std::move(draft));
}

constexpr VerbProperties changes{.queued = true};
constexpr BatchMemory shows_addresses{.shows_addresses = true};

constexpr Verb verbs[] = {
    {.words = {"add"}, .parse = parse_change<ChangeVerb::add>, .is = changes},
    {.words = {"change", "chg"}, .parse = parse_change<ChangeVerb::change>, .is = changes},
    {.words = {"replace"}, .parse = parse_change<ChangeVerb::replace>, .is = changes},
    {.words = {"delete"}, .parse = parse_change<ChangeVerb::remove>, .is = changes},
    {.words = {"show", "list", "lst"},
     .parse = parse_address_show,
     .is = {.read_only = true, .colored = true, .memory = shows_addresses}},
    {.words = {"flush"},
     .parse = parse_address_flush,
     .is = {.flushes = true, .not_in_batch = may_fail_halfway, .memory = shows_addresses}},
    {.words = {"save", "showdump", "restore"}, .is = {.memory = shows_addresses}},
};

}  // namespace

const Object address_object{.words = {"address"}, .name = "address", .verbs = {verbs}};

}  // namespace nlsh
