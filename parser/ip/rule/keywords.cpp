#include "parser/ip/rule/keywords.h"
#include "parser/ip/rule/rule.h"
#include "parser/ip/stats/stats.h"

#include <sys/socket.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "parser/ip/unsigned_value.h"

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
    const auto word = arguments.value("prefix");
    if (!word) return std::unexpected(word.error());
    auto prefix = parse_prefix(*word, draft.change.selectors.family);
    if (prefix || draft.shows) return prefix;
    // An add takes any family, and the kernel finds the address too long or too short.
    return parse_prefix(*word, draft.asked_family);
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
    const auto word = arguments.value("preference");
    if (!word) return std::unexpected(word.error());
    auto priority = parse_u32(*word);
    if (!priority) priority = std::unexpected(without_sign(priority.error(), *word));
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
    const auto word = arguments.value("tos");
    if (!word) return std::unexpected(word.error());
    return set_once(draft.change.selectors.tos, tos_value(*word, draft.names));
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
    const auto word = arguments.value("fwmark");
    if (!word) return std::unexpected(word.error());
    return set_once(draft.change.selectors.mark, mark_value(*word));
}

template <std::optional<std::string> RuleSelectors::* Name>
Parsed<void> take_device(RuleDraft& draft, Arguments& arguments) {
    const auto word = arguments.value("iif");
    if (!word) return std::unexpected(word.error());
    auto device = parse_device(*word);
    // A blank or so in a name is left to iproute2.
    const bool bad = word->empty() || word->size() > 15 || word->contains('/');
    if (!device && bad) return bad_value("rule: device");
    return set_once(draft.change.selectors.*Name, std::move(device));
}

Parsed<void> take_uids(RuleDraft& draft, Arguments& arguments) {
    const auto word = arguments.value("uidrange");
    if (!word) return std::unexpected(word.error());
    const size_t dash = word->find('-');
    if (dash == word->npos) return bad_value("rule: uidrange");
    const auto first = decimal(word->substr(0, dash));
    const auto last = decimal(word->substr(dash + 1));
    if (!first || !last) return declined("rule: uidrange");
    return set_once(draft.change.selectors.uids,
                    Parsed<Range<uint32_t>>(Range<uint32_t>{*first, *last}));
}

struct NamedProtocol {
    std::string_view name;
    uint8_t number;
};

// Those of /etc/protocols that every system has under these names; others are left to iproute2.
constexpr NamedProtocol ip_protocols[] = {{"icmp", 1}, {"tcp", 6}, {"udp", 17}, {"ipv6-icmp", 58}};

Parsed<uint8_t> ip_protocol_value(std::string_view word) {
    for (const NamedProtocol& known : ip_protocols) {
        if (word == known.name) return known.number;
    }
    // Others of /etc/protocols are left to iproute2.
    const bool number = !word.empty() && word.find_first_not_of("0123456789") == word.npos;
    return number ? parse_u8(word) : declined("rule: ipproto");
}

Parsed<void> take_ip_protocol(RuleDraft& draft, Arguments& arguments) {
    const auto word = arguments.value("ipproto");
    if (!word) return std::unexpected(word.error());
    return set_once(draft.change.selectors.ip_protocol, ip_protocol_value(*word));
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
    const auto word = arguments.value("sport");
    if (!word) return std::unexpected(word.error());
    return set_once(draft.change.selectors.*Ports, port_range(*word));
}

Parsed<void> take_tunnel(RuleDraft& draft, Arguments& arguments) {
    const auto word = arguments.value("tun_id");
    if (!word) return std::unexpected(word.error());
    return set_once(draft.change.selectors.tunnel, parse_u64(*word));
}

Parsed<void> take_table(RuleDraft& draft, Arguments& arguments) {
    const auto word = arguments.value("table");
    if (!word) return std::unexpected(word.error());
    const auto table = draft.names.value(NameKind::table, *word);
    if (!table) {
        const char* text = draft.shows ? "table id value is invalid\n" : "invalid table ID\n";
        return std::unexpected(
            with_complaint(unreadable(*word, "rule: table").error(), *word, text));
    }
    return set_once(draft.change.selectors.table, Parsed<uint32_t>(*table));
}

Parsed<void> take_protocol(RuleDraft& draft, Arguments& arguments) {
    const auto word = arguments.value("protocol");
    if (!word) return std::unexpected(word.error());
    if (draft.shows && *word == "all") {
        draft.change.selectors.protocol.reset();
        return {};
    }
    const auto protocol = draft.names.value(NameKind::protocol, *word);
    if (!protocol && *word != "all") {
        const char* text =
            draft.shows ? "invalid \"protocol\"\n" : "\"protocol\" value is invalid\n";
        return std::unexpected(
            with_complaint(unreadable(*word, "rule: protocol").error(), *word, text));
    }
    if (!protocol || *protocol > UINT8_MAX) return declined("rule: protocol");
    return set_once(draft.change.selectors.protocol,
                    Parsed<uint8_t>(static_cast<uint8_t>(*protocol)));
}

constexpr Keyword<RuleDraft> selectors[] = {
    {"not", take_invert},
    {"from", take_from},
    {"to", take_rule_destination},
    {"preference", take_priority, false, "preference value is invalid\n"},
    {"order", take_priority, false, "preference value is invalid\n"},
    {"priority", take_priority, false, "preference value is invalid\n"},
    {"tos", take_tos, true, "TOS value is invalid\n"},
    {"dsfield", take_tos, false, "TOS value is invalid\n"},
    {"fwmark", take_mark},
    {"dev", take_device<&RuleSelectors::iif>, true, "\"iif\"/\"dev\" not a valid ifname"},
    {"iif", take_device<&RuleSelectors::iif>, true, "\"iif\"/\"dev\" not a valid ifname"},
    {"oif", take_device<&RuleSelectors::oif>, true, "\"oif\" not a valid ifname"},
    {"l3mdev", take_l3mdev},
    {"uidrange", take_uids, true, "invalid UID range\n"},
    {"tun_id", take_tunnel, false, "\"tun_id\" value is invalid\n"},
    {"ta", take_table},
    {"tab", take_table},
    {"table", take_table},
    {"lookup", take_table},
    {"proto", take_protocol},
    {"protocol", take_protocol},
    {"ipproto", take_ip_protocol, true, "Invalid \"ipproto\" value\n"},
    {"sport", take_ports<&RuleSelectors::source_ports>, true, "invalid port range\n"},
    {"dport", take_ports<&RuleSelectors::destination_ports>, true, "invalid dport range\n"},
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
