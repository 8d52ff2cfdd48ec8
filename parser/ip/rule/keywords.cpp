#include "parser/ip/rule/keywords.h"
#include "parser/ip/rule/rule.h"

#include <sys/socket.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "parser/ip/refusal.h"
#include "parser/try.h"

namespace nlsh {

namespace {

// sscanf's %u: decimal, and no more.
Parsed<uint32_t> decimal(std::string_view word) {
    uint32_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc{} || end != word.data() + word.size()) return declined("rule: number");
    return number;
}

Parsed<InetPrefix> take_prefix(RuleDraft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("prefix"));
    auto prefix = parse_prefix(word, draft.change.selectors.family);
    if (prefix || draft.shows) return prefix;
    // An add takes any family, and the kernel finds the address too long or too short.
    return parse_prefix(word, draft.asked_family);
}

Parsed<void> take_from(RuleDraft& draft, Arguments& arguments) {
    return set_once(draft.change.selectors.from, take_prefix(draft, arguments));
}

Parsed<void> take_invert(RuleDraft& draft, Arguments&) {
    draft.change.selectors.invert = true;
    return {};
}

Parsed<void> take_l3mdev(RuleDraft& draft, Arguments&) {
    draft.change.selectors.l3mdev = true;
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
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), tos, 16);
    if (error == std::errc{} && end == word.data() + word.size()) return tos;
    return unreadable(word, "rule: tos");
}

Parsed<void> take_tos(RuleDraft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("tos"));
    return set_once(draft.change.selectors.tos, tos_value(word, draft.names));
}

Parsed<FirewallMark> mark_value(std::string_view word) {
    const size_t slash = word.find('/');
    const std::string_view first = word.substr(0, slash);
    const auto value = parse_u32(first);
    // With a mask iproute2 names the part that is wrong.
    if (!value)
        return std::unexpected(with_complaint(value.error(), first, "fwmark value is invalid\n"));
    FirewallMark mark{.value = *value, .mask = {}};
    if (slash == word.npos) return mark;
    const std::string_view second = word.substr(slash + 1);
    const auto mask = parse_u32(second);
    if (!mask)
        return std::unexpected(with_complaint(mask.error(), second, "fwmask value is invalid\n"));
    mark.mask = *mask;
    return mark;
}

Parsed<void> take_mark(RuleDraft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("fwmark"));
    return set_once(draft.change.selectors.mark, mark_value(word));
}

template <std::optional<std::string> RuleSelectors::* Name>
Parsed<void> take_device(RuleDraft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("iif"));
    auto device = parse_device(word);
    // A blank or so in a name is left to iproute2.
    const bool bad = word.empty() || word.size() > 15 || word.contains('/');
    if (!device && bad) return bad_value("rule: device");
    return set_once(draft.change.selectors.*Name, std::move(device));
}

Parsed<void> take_uids(RuleDraft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("uidrange"));
    const size_t dash = word.find('-');
    if (dash == word.npos) return bad_value("rule: uidrange");
    const auto first = decimal(word.substr(0, dash));
    const auto last = decimal(word.substr(dash + 1));
    if (!first || !last) return declined("rule: uidrange");
    return set_once(draft.change.selectors.uids,
                    Parsed<Range<uint32_t>>(Range<uint32_t>{*first, *last}));
}

struct NamedProtocol {
    std::string_view name;
    uint8_t number;
};

// Those of /etc/protocols that every system has under these names; others are left to iproute2.
constexpr NamedProtocol ip_protocols[] = {
    {.name = "icmp", .number = 1},
    {.name = "tcp", .number = 6},
    {.name = "udp", .number = 17},
    {.name = "ipv6-icmp", .number = 58},
};

Parsed<uint8_t> ip_protocol_value(std::string_view word) {
    for (const NamedProtocol& known : ip_protocols) {
        if (word == known.name) return known.number;
    }
    // Others of /etc/protocols are left to iproute2.
    const bool number = !word.empty() && word.find_first_not_of("0123456789") == word.npos;
    return number ? parse_u8(word) : declined("rule: ipproto");
}

Parsed<void> take_ip_protocol(RuleDraft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("ipproto"));
    return set_once(draft.change.selectors.ip_protocol, ip_protocol_value(word));
}

Parsed<Range<uint16_t>> port_range(std::string_view word) {
    if (word.empty() || std::isalpha(static_cast<unsigned char>(word.front())) != 0) {
        return bad_value("rule: ports");
    }
    const size_t dash = word.find('-');
    const auto first = decimal(word.substr(0, dash));
    const auto last = dash == word.npos ? first : decimal(word.substr(dash + 1));
    if (!first || !last || *first > UINT16_MAX || *last > UINT16_MAX) {
        return declined("rule: ports");
    }
    return Range<uint16_t>{static_cast<uint16_t>(*first), static_cast<uint16_t>(*last)};
}

template <std::optional<Range<uint16_t>> RuleSelectors::* Ports>
Parsed<void> take_ports(RuleDraft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("sport"));
    const Range<uint16_t> ports = TRY(port_range(word));
    if (draft.shows && ports.first == 0 && !arguments.traits().lacks(Trait::rule_port_zero))
        return declined("rule: port 0");
    return set_once(draft.change.selectors.*Ports, Parsed<Range<uint16_t>>(ports));
}

// What is said of a bad one isn't known, nor of one with a mask.
template <std::optional<Range<uint16_t>> RuleSelectors::* Ports>
Parsed<void> take_newer_ports(RuleDraft& draft, Arguments& arguments) {
    const auto taken = take_ports<Ports>(draft, arguments);
    return taken ? taken : declined("rule: ports");
}

Parsed<void> take_tunnel(RuleDraft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("tun_id"));
    return set_once(draft.change.selectors.tunnel, parse_u64(word));
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
    {.word = "not", .take = take_invert},
    {.word = "from", .take = take_from},
    {.word = "to", .take = take_rule_destination},
    {.word = "preference",
     .take = take_priority,
     .exact = false,
     .complaint = "preference value is invalid\n"},
    {.word = "order",
     .take = take_priority,
     .exact = false,
     .complaint = "preference value is invalid\n"},
    {.word = "priority",
     .take = take_priority,
     .exact = false,
     .complaint = "preference value is invalid\n"},
    {.word = "tos", .take = take_tos, .complaint = "TOS value is invalid\n"},
    {.word = "dsfield", .take = take_tos, .exact = false, .complaint = "TOS value is invalid\n"},
    {.word = "fwmark", .take = take_mark},
    {.word = "dev",
     .take = take_device<&RuleSelectors::iif>,
     .complaint = "\"iif\"/\"dev\" not a valid ifname"},
    {.word = "iif",
     .take = take_device<&RuleSelectors::iif>,
     .complaint = "\"iif\"/\"dev\" not a valid ifname"},
    {.word = "oif",
     .take = take_device<&RuleSelectors::oif>,
     .complaint = "\"oif\" not a valid ifname"},
    {.word = "l3mdev", .take = take_l3mdev},
    {.word = "uidrange", .take = take_uids, .complaint = "invalid UID range\n"},
    {.word = "tun_id",
     .take = take_tunnel,
     .exact = false,
     .complaint = "\"tun_id\" value is invalid\n"},
    {.word = "ta", .take = take_table},
    {.word = "tab", .take = take_table},
    {.word = "table", .take = take_table},
    {.word = "lookup", .take = take_table},
    {.word = "proto", .take = take_protocol},
    {.word = "protocol", .take = take_protocol},
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
     .take = take_newer_ports<&RuleSelectors::source_ports>,
     .since = Trait::invalid_port},
    {.word = "dport",
     .take = take_newer_ports<&RuleSelectors::destination_ports>,
     .since = Trait::invalid_port},
};

}  // namespace

Parsed<uint8_t> rule_family(const Options& options) {
    switch (options.family) {
        case AF_UNSPEC:
        case AF_INET:
            return AF_INET;
        case AF_INET6:
            return AF_INET6;
        default:
            return declined("rule: family");
    }
}

Parsed<bool> take_rule_selector(RuleDraft& draft, Arguments& arguments) {
    return take_keyword<RuleDraft>(selectors, draft, arguments);
}

bool abbreviates_rule_selector(std::string_view word) {
    return std::ranges::any_of(selectors,
                               [&](const auto& keyword) { return matches(word, keyword.word); });
}

Parsed<void> take_rule_destination(RuleDraft& draft, Arguments& arguments) {
    // In a show iproute2 also takes abbreviations of these.
    const bool abbreviation = !arguments.empty() && abbreviates_rule_selector(arguments.peek());
    auto prefix = take_prefix(draft, arguments);
    if (!prefix && abbreviation) prefix = std::unexpected(unexplained(prefix.error()));
    return set_once(draft.change.selectors.to, std::move(prefix));
}

}  // namespace nlsh
