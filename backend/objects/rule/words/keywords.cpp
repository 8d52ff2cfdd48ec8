#include "backend/objects/rule/words/keywords.h"
#include "backend/objects/rule/words/rows.h"

#include <sys/socket.h>

#include <algorithm>
#include <cctype>
#include <limits>

#include "backend/objects/bridge/words/values.h"
#include "parser/ip/refusal.h"
#include "parser/text.h"
#include "parser/try.h"

namespace nlsh {
namespace {

Parsed<InetPrefix> take_prefix(RuleDraft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("prefix"));
    auto prefix = parse_prefix(word, draft.change.selectors.family);
    if (prefix || draft.shows) return prefix;
    // An add takes any family; the kernel then refuses the address by its length.
    return parse_prefix(word, draft.asked_family);
}

Parsed<void> take_from(RuleDraft& draft, Arguments& arguments) {
    return set_once(draft.change.selectors.from, take_prefix(draft, arguments));
}

template <bool RuleSelectors::* Flag>
Parsed<void> take_flag(RuleDraft& draft, Arguments&) {
    draft.change.selectors.*Flag = true;
    return {};
}

Parsed<void> take_priority(RuleDraft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("preference"));
    auto priority = parse_u32(word);
    if (!priority) priority = std::unexpected(without_sign(priority.error(), word));
    return set_once(draft.change.selectors.priority, std::move(priority));
}

// A name, or hex with or without 0x.
Parsed<uint8_t> tos_value(std::string_view word, const NameTables& names) {
    if (const auto named = names[NameKind::dsfield].number(word)) {
        return static_cast<uint8_t>(*named);
    }
    if (word.starts_with("0x")) word.remove_prefix(2);
    uint8_t tos = 0;
    return read_number(word, tos, 16) ? Parsed<uint8_t>(tos) : unreadable(word, "rule: tos");
}

Parsed<void> take_tos(RuleDraft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("tos"));
    return set_once(draft.change.selectors.tos, tos_value(word, draft.names));
}

// VALUE or VALUE/MASK. iproute2's error quotes only the wrong part.
template <typename T, typename Parse>
Parsed<Masked<T>> masked(std::string_view word, Parse parse, const char* bad_first,
                         const char* bad_mask) {
    const size_t slash = word.find('/');
    const auto read = [](std::string_view part, auto value, const char* complaint) {
        if (!value && part.empty()) value = bad_value("rule: nothing");
        if (value) return value;
        return decltype(value)(
            std::unexpected(with_complaint(std::move(value.error()), part, complaint)));
    };
    const std::string_view first = word.substr(0, slash);
    const auto value = TRY(read(first, parse(first), bad_first));
    if (slash == word.npos) return Masked<T>{.value = value, .mask = {}};
    const std::string_view second = word.substr(slash + 1);
    const auto mask = TRY(read(second, parse_u32(second, std::numeric_limits<T>::max()), bad_mask));
    return Masked<T>{.value = value, .mask = static_cast<T>(mask)};
}

Parsed<void> take_mark(RuleDraft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("fwmark"));
    return set_once(draft.change.selectors.mark,
                    masked<uint32_t>(word, parse_number, "fwmark value is invalid\n",
                                     "fwmask value is invalid\n"));
}

// A code point by number, or by the name of a dsfield with these upper bits.
Parsed<void> take_dscp(RuleDraft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("dscp"));
    const auto parse = [&](std::string_view part) -> Parsed<uint8_t> {
        const auto named = draft.names[NameKind::dsfield].number(part);
        if (named && (*named & 3U) == 0) return static_cast<uint8_t>(*named >> 2U);
        if (named) return declined("rule: a name with bits of ECN");
        const auto number = TRY(parse_u32(part));
        if (number > UINT8_MAX) return declined("rule: a large dscp");
        return static_cast<uint8_t>(number);
    };
    auto dscp = TRY(masked<uint8_t>(word, parse, "invalid dscp", "invalid dscp mask"));
    constexpr uint8_t all = 0x3f;
    if (dscp.mask == all) dscp.mask.reset();
    return set_once(draft.change.selectors.dscp, Parsed<Masked<uint8_t>>(dscp));
}

Parsed<void> take_flow_label(RuleDraft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("flowlabel"));
    return set_once(
        draft.change.selectors.flow_label,
        masked<uint32_t>(word, parse_number, "invalid flowlabel", "invalid flowlabel mask"));
}

template <std::optional<std::string> RuleSelectors::* Name>
Parsed<void> take_device(RuleDraft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("iif"));
    auto device = parse_device(word);
    // Names with blanks and the like fall back.
    const bool bad = word.empty() || word.size() > 15 || word.contains('/');
    if (!device && bad) return bad_value("rule: device");
    return set_once(draft.change.selectors.*Name, std::move(device));
}

Parsed<void> take_uids(RuleDraft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("uidrange"));
    const size_t dash = word.find('-');
    if (dash == word.npos) return bad_value("rule: uidrange");
    const auto first = parse_decimal(word.substr(0, dash), UINT32_MAX);
    const auto last = parse_decimal(word.substr(dash + 1), UINT32_MAX);
    if (!first || !last) return declined("rule: uidrange");
    return set_once(draft.change.selectors.uids,
                    Parsed<Range<uint32_t>>(Range<uint32_t>{*first, *last}));
}

Parsed<uint8_t> ip_protocol_value(std::string_view word, const NameTables& names) {
    if (const auto known = names[NameKind::ip_protocol].number(word))
        return static_cast<uint8_t>(*known);
    // Other names of /etc/protocols fall back.
    const bool number = !word.empty() && word.find_first_not_of("0123456789") == word.npos;
    return number ? parse_u8(word) : declined("rule: ipproto");
}

Parsed<void> take_ip_protocol(RuleDraft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("ipproto"));
    return set_once(draft.change.selectors.ip_protocol, ip_protocol_value(word, draft.names));
}

Parsed<Ports> port_range(std::string_view word) {
    if (word.empty() || std::isalpha(static_cast<unsigned char>(word.front())) != 0) {
        return bad_value("rule: ports");
    }
    const size_t dash = word.find('-');
    const auto first = parse_decimal(word.substr(0, dash), UINT16_MAX);
    const auto last = dash == word.npos ? first : parse_decimal(word.substr(dash + 1), UINT16_MAX);
    if (!first || !last) return declined("rule: ports");
    return Ports{{static_cast<uint16_t>(*first), static_cast<uint16_t>(*last)}};
}

// N, N-M, or N/MASK. The error for a bad part says which one.
Parsed<Ports> newer_ports(std::string_view word, const Traits& traits, bool shows) {
    const auto parse = [](std::string_view part) { return parse_u16(part); };
    const size_t dash = word.find('-');
    if (dash == word.npos) {
        const bool masks = traits.has(Trait::rule_port_masks);
        if (!masks && (word.contains('/') || !traits.lacks(Trait::rule_port_masks)))
            return declined("rule: a port's mask");
        auto port = TRY(masked<uint16_t>(word, parse, "invalid port", "invalid mask"));
        constexpr uint16_t all = UINT16_MAX;
        if (shows && masks) port.mask = port.mask.value_or(all);
        if (!shows && port.mask == all) port.mask.reset();
        return Ports{{port.value, port.value}, port.mask};
    }
    const auto part = [&](std::string_view text, const char* complaint) {
        auto port = parse(text);
        if (!port && text.empty()) port = bad_value("rule: no port");
        if (!port) port = std::unexpected(with_complaint(port.error(), text, complaint));
        return port;
    };
    const auto first = TRY(part(word.substr(0, dash), "invalid port range start"));
    const auto last = TRY(part(word.substr(dash + 1), "invalid port range end"));
    return Ports{{first, last}};
}

template <std::optional<Ports> RuleSelectors::* Place, bool Newer = false>
Parsed<void> take_ports(RuleDraft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("sport"));
    const Ports ports =
        TRY(Newer ? newer_ports(word, arguments.traits(), draft.shows) : port_range(word));
    const Traits::Answer zero = arguments.traits()[Trait::rule_port_zero];
    const bool is_zero = ports == Ports{};
    if (draft.shows && is_zero && zero == Traits::Answer::unknown) return declined("rule: port 0");
    if (draft.shows && is_zero && zero == Traits::Answer::no) return {};  // no filter
    return set_once(draft.change.selectors.*Place, Parsed<Ports>(ports));
}

// The word may be abbreviated. Shows of older builds don't know it.
Parsed<void> take_dsfield(RuleDraft& draft, Arguments& arguments) {
    if (draft.shows && !arguments.traits().has(Trait::words_of_6_1))
        return declined("rule show: dsfield");
    return take_tos(draft, arguments);
}

Parsed<void> take_table(RuleDraft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("table"));
    const auto table = draft.names.value(NameKind::table, word);
    if (!table) {
        const char* text = draft.shows ? "table id value is invalid\n" : "invalid table ID\n";
        return std::unexpected(with_complaint(unreadable(word, "rule: table").error(), word, text));
    }
    return set_once(draft.change.selectors.table, Parsed<uint32_t>(*table));
}

Parsed<void> take_protocol(RuleDraft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("protocol"));
    if (draft.shows && word == "all") {
        draft.change.selectors.protocol.reset();
        return {};
    }
    const auto protocol = draft.names.value(NameKind::protocol, word);
    if (!protocol && word != "all") {
        const char* text =
            draft.shows ? "invalid \"protocol\"\n" : "\"protocol\" value is invalid\n";
        return std::unexpected(
            with_complaint(unreadable(word, "rule: protocol").error(), word, text));
    }
    if (!protocol || *protocol > UINT8_MAX) return declined("rule: protocol");
    return set_once(draft.change.selectors.protocol,
                    Parsed<uint8_t>(static_cast<uint8_t>(*protocol)));
}

constexpr Keyword<RuleDraft> selectors[] = {
    {.word = "not", .take = take_flag<&RuleSelectors::invert>},
    {.word = "from", .take = take_from},
    {.word = "to", .take = take_rule_destination},
    {.word = "preference",
     .also = {"order", "priority"},
     .take = take_priority,
     .exact = false,
     .complaint = "preference value is invalid\n"},
    {.word = "tos", .take = take_tos, .complaint = "TOS value is invalid\n"},
    {.word = "dsfield",
     .take = take_dsfield,
     .exact = false,
     .complaint = "TOS value is invalid\n"},
    {.word = "fwmark", .take = take_mark},
    {.word = "iif",
     .also = {"dev"},
     .take = take_device<&RuleSelectors::iif>,
     .complaint = "\"iif\"/\"dev\" not a valid ifname"},
    {.word = "oif",
     .take = take_device<&RuleSelectors::oif>,
     .complaint = "\"oif\" not a valid ifname"},
    {.word = "l3mdev", .take = take_flag<&RuleSelectors::l3mdev>},
    {.word = "uidrange", .take = take_uids, .complaint = "invalid UID range\n"},
    {.word = "table", .also = {"ta", "tab", "lookup"}, .take = take_table},
    {.word = "protocol", .also = {"proto"}, .take = take_protocol},
    {.word = "ipproto", .take = take_ip_protocol, .complaint = "Invalid \"ipproto\" value\n"},
    {.word = "sport",
     .take = take_ports<&RuleSelectors::source_ports>,
     .complaint = "invalid port range\n",
     .until = Trait::invalid_port},
    {.word = "dport",
     .take = take_ports<&RuleSelectors::destination_ports>,
     .complaint = "invalid dport range\n",
     .until = Trait::invalid_port},
    {.word = "sport",
     .take = take_ports<&RuleSelectors::source_ports, true>,
     .since = Trait::invalid_port},
    {.word = "dport",
     .take = take_ports<&RuleSelectors::destination_ports, true>,
     .since = Trait::invalid_port},
    {.word = "dscp", .take = take_dscp, .since = Trait::rule_dscp},
    {.word = "flowlabel", .take = take_flow_label, .since = Trait::rule_flowlabel},
};

}  // namespace

Parsed<uint8_t> rule_family(const Options& options) {
    if (options.family == AF_UNSPEC || options.family == AF_INET) return AF_INET;
    if (options.family == AF_INET6) return AF_INET6;
    return declined("rule: family");
}

Parsed<bool> take_rule_selector(RuleDraft& draft, Arguments& arguments) {
    if (TRY(take_keyword<RuleDraft>(selectors, draft, arguments))) return true;
    return take_field(rule_fields, draft.change.selectors.fields, arguments);
}

bool abbreviates_rule_selector(std::string_view word, const Traits& traits) {
    const auto means = [&](const auto& row) {
        return any_word(row, [&](std::string_view known) { return matches(word, known); }) &&
               traits.counts(row.since, row.until) != Traits::Answer::no;
    };
    return std::ranges::any_of(selectors, means) || std::ranges::any_of(rule_fields, means);
}

Parsed<void> take_rule_destination(RuleDraft& draft, Arguments& arguments) {
    // In a show, iproute2 may read this word as an abbreviated selector.
    const bool abbreviation =
        !arguments.empty() && abbreviates_rule_selector(arguments.peek(), arguments.traits());
    auto prefix = take_prefix(draft, arguments);
    if (!prefix && abbreviation) prefix = std::unexpected(unexplained(prefix.error()));
    return set_once(draft.change.selectors.to, std::move(prefix));
}

}  // namespace nlsh
