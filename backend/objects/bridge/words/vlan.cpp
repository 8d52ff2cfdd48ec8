#include "backend/objects/bridge/words/vlan.h"

#include <fmt/format.h>
#include <linux/if_bridge.h>

#include <cerrno>

#include "backend/objects/bridge/words/vlan_options.h"
#include "parser/ip/command.h"
#include "parser/ip/keywords.h"
#include "parser/try.h"

namespace nlsh {
namespace {

constexpr uint32_t max_tunnel_id = (1 << 24) - 1;

Parsed<IdRange> parse_tunnel_id(std::string_view word) {
    auto range = parse_id_range(word, max_tunnel_id);
    // iproute2's error for a range names only a part of the word.
    if (range || word.contains('-')) return range;
    const auto number = parse_u32(word, max_tunnel_id);
    return number ? range : std::unexpected(number.error());
}

struct Draft : VlanChange {
    std::optional<IdRange> vids = {};
};

// The last `vid` counts, but bridge keeps the end of an earlier range.
Parsed<void> take_vids(Draft& draft, Arguments& arguments) {
    if (draft.vids && draft.vids->last) return declined("vid twice");
    return take_last(arguments, "vid", draft.vids, parse_vlan_range);
}

Parsed<void> take_tunnel(Draft& draft, Arguments& arguments) {
    if (!arguments.take_if("id")) return declined("vlan: tunnel_info");
    return take_once(arguments, "tunnel_info", draft.tunnel, parse_tunnel_id, "invalid tun id");
}

constexpr Keyword<Draft> change_keywords[] = {
    {.word = "self", .take = add_bits<&VlanChange::bridge_flags, BRIDGE_FLAGS_SELF>},
    {.word = "master", .take = add_bits<&VlanChange::bridge_flags, BRIDGE_FLAGS_MASTER>},
    {.word = "pvid", .take = add_bits<&VlanChange::vlan_flags, BRIDGE_VLAN_INFO_PVID>},
    {.word = "untagged", .take = add_bits<&VlanChange::vlan_flags, BRIDGE_VLAN_INFO_UNTAGGED>},
    {.word = "dev", .take = last<&VlanChange::device, parse_device>},
    {.word = "vid", .take = take_vids},
    {.word = "tunnel_info", .take = take_tunnel},
};

Parsed<void> check_vids(const VlanChange& change) {
    TRY(check_vlan_range(change.vid));
    if (change.vid.last && (change.vlan_flags & BRIDGE_VLAN_INFO_PVID) != 0) {
        return refused("pvid cannot be configured for a vlan range\n");
    }
    return {};
}

template <ChangeVerb Which>
Parsed<Request> parse_change(ParseContext&, Arguments arguments) {
    Draft draft;
    draft.verb = Which;
    TRY(take_words(change_keywords, draft, arguments, skip_word));
    if (draft.device.empty() || !draft.vids)
        return refused("Device and VLAN ID are required arguments.\n");
    VlanChange& change = draft;
    change.vid = *draft.vids;
    if (auto good = check_vids(change); !good) {
        return refused_after(change.device, good.error(), "Cannot find bridge device \"{}\"\n");
    }
    if (change.tunnel && (change.vlan_flags != 0 ||
                          change.tunnel->last.has_value() != change.vid.last.has_value())) {
        return declined("vlan: unlike ranges of vid and tunnel_info");
    }
    return std::move(change);
}

template <typename T>
Parsed<uint64_t> widened(const Parsed<T>& value) {
    if (!value) return std::unexpected(value.error());
    return uint64_t{*value};
}
Parsed<uint64_t> parse_state(std::string_view word) {
    if (const auto state = port_state(word)) return uint64_t{*state};
    if (auto number = parse_decimal(word, UINT8_MAX)) return uint64_t{*number};
    const bool negative =
        word.starts_with('-') && parse_decimal(word.substr(1), INT32_MAX).value_or(0) > 0;
    const bool digits = word.find_first_not_of("0123456789") == word.npos;
    if (negative || (!digits && is_plain_value(word))) return refused("Error: invalid STP state\n");
    return declined("vlan: state");
}

Parsed<uint64_t> parse_option(const VlanOption& option, std::string_view word,
                              const Traits& traits) {
    switch (option.form) {
        case VlanOption::Form::state:
            return parse_state(word);
        case VlanOption::Form::on_off:
            return widened(parse_switch(option.word, word, traits, 256 - EINVAL));
        case VlanOption::Form::number:
            break;
    }
    if (option.size == 8) return parse_u64(word);
    return widened(parse_u32(word, UINT32_MAX >> (32 - 8 * option.size)));
}

Parsed<void> parse_set_word(Arguments& arguments, VlanSet& set, std::optional<IdRange>& vid) {
    const std::string_view word = arguments.take();
    if (word == "dev") return take_once(arguments, word, set.device, parse_device);
    if (word == "vid") {
        const auto taken = take_once(arguments, word, vid, parse_vlan_range);
        return taken ? check_vlan_range(*vid) : taken;
    }
    const std::span<const VlanOption> table =
        set.global ? std::span<const VlanOption>(global_vlan_options) : vlan_options;
    const VlanOption* option = TRY(find_row(table, arguments.traits(), word));
    // bridge skips words that it doesn't know.
    if (option == nullptr || !option->read)
        return matches(word, "help") ? declined("verb help") : Parsed<void>{};
    const auto text = TRY(arguments.value(word));
    const auto value = parse_option(*option, text, arguments.traits());
    if (!value) {
        const std::string complaint = fmt::format("invalid {}", word);
        return std::unexpected(with_complaint(value.error(), text, complaint.c_str()));
    }
    set.options.push_back({option->type, option->size, *value});
    return {};
}

// bridge looks up the device when it reads the word.
constexpr const char* missing_device = "Cannot find network device \"{}\"\n";

template <bool Global>
Parsed<Request> parse_set(ParseContext&, Arguments arguments) {
    if (!arguments.traits().has(Trait::vlan_options)) return declined("vlan set of older versions");
    VlanSet set;
    set.global = Global;
    std::optional<IdRange> vid;
    while (!arguments.empty()) {
        if (auto parsed = parse_set_word(arguments, set, vid); !parsed) {
            return refused_after(set.device, parsed.error(), missing_device);
        }
    }
    if (set.device.empty() || !vid) {
        auto refusal = refused("Device and VLAN ID are required arguments.\n");
        return refused_after(set.device, refusal.error(), missing_device);
    }
    set.vid = *vid;
    return set;
}

template <VlanTable Table>
Parsed<Request> parse_show(ParseContext& context, Arguments arguments) {
    const bool more = context.options.statistics > 0 || context.options.details > 0;
    if (Table != VlanTable::vlans && more) return declined("vlan: -s or -d");
    VlanShow show;
    show.table = Table;
    while (!arguments.empty()) {
        const std::string_view word = arguments.take();
        Parsed<void> parsed;  // unknown words are skipped
        if (word == "dev") parsed = take_single(arguments, word, show.device, parse_device);
        if (word == "vid") {
            parsed = take_single(arguments, word, show.vid, [](std::string_view vid) {
                return parse_decimal(vid, INT16_MAX);
            });
        }
        if (!parsed) return std::unexpected(parsed.error());
    }
    return show;
}

constexpr Verb global_verbs[] = {
    {.words = {"set"}, .parse = parse_set<true>, .exact = true},
    {.words = {"show", "lst", "list"},
     .parse = parse_show<VlanTable::global>,
     .exact = true,
     .is = shows_filtered},
};

constexpr Verb verbs[] = {
    {.words = {"add"}, .parse = parse_change<ChangeVerb::add>, .is = {.queued = true}},
    {.words = {"delete"}, .parse = parse_change<ChangeVerb::remove>, .is = {.queued = true}},
    {.words = {"show", "lst", "list"}, .parse = parse_show<VlanTable::vlans>, .is = shows_filtered},
    {.words = {"tunnelshow"}, .parse = parse_show<VlanTable::tunnels>, .is = shows_filtered},
    {.words = {"set"}, .parse = parse_set<false>, .since = Trait::vlan_details},
    {.words = {"global"},
     .verbs = {.rows = global_verbs, .refusal = {}},
     .exact = true,
     .since = Trait::vlan_options},
};

}  // namespace

const Object bridge_vlan_object{.words = {"vlan"}, .name = "vlan", .verbs = {verbs}};

}  // namespace nlsh
