#include "backend/objects/bridge/words/link.h"

#include <fmt/format.h>
#include <linux/if_bridge.h>

#include <algorithm>
#include <cerrno>
#include <charconv>

#include "backend/objects/bridge/words/port_row.h"
#include "backend/objects/bridge/words/values.h"
#include "parser/ip/command.h"
#include "parser/ip/keywords.h"
#include "parser/ip/kinds.h"
#include "parser/try.h"

namespace nlsh {
namespace {

// Reads like atoi: the leading digits, or 0. Blanks and too large numbers fall back.
Parsed<int32_t> parse_leading(std::string_view word) {
    int32_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    const bool plain = word.find_first_of("+ \t\n\v\f\r") == word.npos;
    if (!plain || error == std::errc::result_out_of_range) return declined("link set: a number");
    return error == std::errc{} ? value : 0;
}
Parsed<uint32_t> parse_state(std::string_view word, const Traits& traits) {
    if (const auto state = port_state(word)) return uint32_t{*state};
    // Older builds accept capitals, too.
    if (!traits.has(Trait::words_of_5_15)) return declined("link set: a state");
    if (is_plain_value(word) && word.find_first_not_of("0123456789") != word.npos) {
        return refused("Error: invalid STP port state\n");
    }
    const auto number = TRY(parse_leading(word));
    return static_cast<uint8_t>(number);
}
// The attribute to send. nullopt: bridge uses this value for "not given" and sends nothing.
template <typename T>
Parsed<std::optional<PortAttribute>> number(const BridgePortRow& row, uint32_t value, bool unsaid) {
    if (unsaid) return std::nullopt;
    return PortAttribute{row.link.attribute, sizeof(T), static_cast<T>(value)};
}

Parsed<std::optional<PortAttribute>> parse_value(const BridgePortRow& row, std::string_view word,
                                                 const Traits& traits) {
    if (row.value == PortValue::on_off) {
        const bool on = TRY(parse_switch(row.link.word, word, traits, 256 - EINVAL));
        return number<uint8_t>(row, on ? 1U : 0U, false);
    }
    if (row.value == PortValue::state) {
        const uint32_t state = TRY(parse_state(word, traits));
        return number<uint8_t>(row, state, static_cast<int8_t>(state) < 0);
    }
    if (row.value == PortValue::number || row.value == PortValue::number_if_set) {
        const auto value = parse_u32(word);
        if (value) return number<uint32_t>(row, *value, false);
        const std::string complaint = fmt::format("invalid {}", row.link.word);
        return std::unexpected(with_complaint(value.error(), word, complaint.c_str()));
    }
    const auto value = static_cast<uint32_t>(TRY(parse_leading(word)));
    if (row.value == PortValue::cost) return number<uint32_t>(row, value, value == 0);
    if (row.value == PortValue::priority) {
        return number<uint16_t>(row, value, static_cast<int16_t>(value) < 0);
    }
    return number<uint8_t>(row, value, static_cast<int8_t>(value) < 0);
}

// The last value of a keyword counts, even if bridge doesn't send it.
Parsed<void> parse_attribute(Arguments& arguments, const BridgePortRow& row, const Traits& traits,
                             std::vector<PortAttribute>& attributes) {
    const auto word = TRY(arguments.value(row.link.word));
    const auto attribute = TRY(parse_value(row, word, traits));
    const auto place = std::ranges::find(attributes, row.link.attribute, &PortAttribute::type);
    if (!attribute) {
        if (place != attributes.end()) attributes.erase(place);
    } else if (place != attributes.end()) {
        *place = *attribute;
    } else {
        attributes.push_back(*attribute);
    }
    return {};
}

Parsed<void> set_flags(BridgeLinkSet& set, uint16_t flag) {
    set.flags = static_cast<uint16_t>(set.flags | flag);
    return {};
}

Parsed<void> parse_mode(Arguments& arguments, BridgeLinkSet& set) {
    if (arguments.take_if("vepa")) {
        set.mode = BRIDGE_MODE_VEPA;
    } else if (arguments.take_if("veb")) {
        set.mode = BRIDGE_MODE_VEB;
    } else {
        return refused("Mode argument must be \"vepa\" or \"veb\".\n");
    }
    return set_flags(set, BRIDGE_FLAGS_SELF);
}

// bridge looks up each backup_port as it reads the word, so two of them fall back.
Parsed<void> parse_backup_port(Arguments& arguments, const BridgePortRow& row, BridgeLinkSet& set) {
    if (set.backup_port) return declined("link set: backup_port twice");
    set.backup_port.emplace();
    if (row.value == PortValue::no_device) return {};
    const auto word = TRY(arguments.value(row.link.word));
    set.backup_port = TRY(parse_device(word));
    return {};
}

Parsed<void> parse_set_word(ParseContext& context, Arguments& arguments, BridgeLinkSet& set) {
    const std::string_view word = arguments.take();
    if (word == "dev") return take_last(arguments, word, set.device, parse_device);
    if (word == "hwmode") return parse_mode(arguments, set);
    if (word == "self") return set_flags(set, BRIDGE_FLAGS_SELF);
    if (word == "master") return set_flags(set, BRIDGE_FLAGS_MASTER);
    const Traits& traits = context.options.traits;
    for (const BridgePortRow& row : context.kinds.bridge_ports) {
        if (row.link.word != word || row.value == PortValue::none) continue;
        const auto counts = row.counts(traits);
        if (counts == Traits::Answer::no) continue;
        if (counts == Traits::Answer::unknown) break;
        const bool device = row.value == PortValue::device || row.value == PortValue::no_device;
        if (device) return parse_backup_port(arguments, row, set);
        return parse_attribute(arguments, row, traits, set.attributes);
    }
    return declined(fmt::format("link set: {}", word));
}

Parsed<Request> parse_set(ParseContext& context, Arguments arguments) {
    BridgeLinkSet set;
    Parsed<void> taken;
    while (taken && !arguments.empty())
        taken = parse_set_word(context, arguments, set);
    if (taken && set.device.empty()) taken = refused("Device is a required argument.\n");
    if (taken) return set;
    // bridge looks up the backup port first.
    const bool looks_up = set.backup_port && !set.backup_port->empty();
    return std::unexpected(looks_up ? unexplained(taken.error()) : taken.error());
}

Parsed<void> take_master(BridgeLinkShow& show, Arguments& arguments) {
    return take_single(arguments, "master", show.master, parse_device);
}

constexpr Keyword<BridgeLinkShow> show_keywords[] = {
    {.word = "dev", .take = single_device<&BridgeLinkShow::device>},
    {.word = "master", .take = take_master, .since = Trait::bridge_link_master},
};

Parsed<Request> parse_show(ParseContext&, Arguments arguments) {
    BridgeLinkShow show;
    TRY(take_words(show_keywords, show, arguments, skip_any));
    return show;
}

constexpr Verb verbs[] = {
    {.words = {"set", "change"}, .parse = parse_set, .is = {.queued = true}},
    {.words = {"show", "lst", "list"}, .parse = parse_show, .is = shows_filtered},
};

}  // namespace

const Object bridge_link_object{
    .words = {"link"}, .name = "bridge link", .verbs = {verbs}, .title = "bridge link"};

}  // namespace nlsh
