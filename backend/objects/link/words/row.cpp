#include "backend/objects/link/words/row.h"
#include "parser/ip/traits/trait_names.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <linux/if_ether.h>
#include <strings.h>

#include <algorithm>
#include <charconv>
#include <climits>
#include <cstring>
#include <limits>
#include <ranges>

#include "parser/ip/refusal.h"
#include "parser/try.h"

namespace nlsh {
namespace {

// `parse` reads a keyword's value, `put` stores the number.
template <typename T, typename Parse>
Parsed<void> read_number(OptionScope& scope, const LinkRow& row, Arguments& arguments,
                         Parse parse) {
    const auto word = TRY(arguments.value(row.word));
    if (scope.has(row.attribute)) return declined("link: an option is repeated");
    const auto value = TRY(parse(word));
    return scope.put_number<T>(row.attribute, static_cast<T>(value));
}

template <typename T>
Parsed<void> read_unsigned(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    const uint32_t limit = row.parameter != 0 ? row.parameter : std::numeric_limits<T>::max();
    return read_number<T>(scope, row, arguments,
                          [&](std::string_view word) { return parse_u32(word, limit); });
}

// iproute2's error for the first part that isn't a byte. It uses sscanf, which skips blanks, takes
// signs and ignores text after the digits.
std::unexpected<Decline> bad_link_address(const Traits& traits, std::string_view word) {
    if (!traits.lacks(Trait::link_addresses_named_whole)) return declined("link: a bad address");
    if (word.contains('.')) return declined("link: dotted hardware address");
    for (const auto range : std::views::split(word, ':')) {
        const std::string_view part(range.begin(), range.end());
        uint64_t number = 0;
        const auto [end, error] =
            std::from_chars(part.data(), part.data() + part.size(), number, 16);
        const bool whole = end == part.data() + part.size();
        if (error == std::errc{} && whole && number <= 255) continue;
        // iproute2 cuts off bits beyond 32: 100000001 is 1.
        const bool digits = error == std::errc{} && static_cast<uint32_t>(number) <= 255;
        if (digits || (!part.empty() && !is_plain_value(part))) break;
        return refused(fmt::format("\"{}\" is invalid lladdr.\n", part), 1);
    }
    return declined(fmt::format("bad hardware address: {}", word));
}

}  // namespace

bool OptionScope::has(uint16_t type) const {
    return std::ranges::any_of(attributes_, [&](const auto& a) { return a.type == type; });
}

const std::string* OptionScope::bytes(uint16_t type) const {
    const auto found = std::ranges::find(attributes_, type, &LinkAttribute::type);
    return found == attributes_.end() ? nullptr : std::get_if<std::string>(&found->value);
}

Parsed<void> OptionScope::put(uint16_t type, decltype(LinkAttribute::value) value) {
    if (has(type)) return declined("link: an option is repeated");
    attributes_.push_back({type, std::move(value)});
    return {};
}

void OptionScope::replace(uint16_t type, std::string bytes) {
    erase(type);
    attributes_.push_back({type, std::move(bytes)});
}

void OptionScope::put_bits(uint16_t type, uint32_t bits, bool on) {
    struct Pair {
        uint32_t bits = 0, mask = 0;
    } pair;
    auto found = std::ranges::find(attributes_, type, &LinkAttribute::type);
    if (found == attributes_.end()) {
        attributes_.push_back({type, bytes_of(pair)});
        found = attributes_.end() - 1;
    }
    std::string& bytes = std::get<std::string>(found->value);
    std::memcpy(&pair, bytes.data(), sizeof pair);
    pair.mask |= bits;
    pair.bits = on ? pair.bits | bits : pair.bits & ~bits;
    bytes = bytes_of(pair);
}

void OptionScope::move_to_end(uint16_t type) {
    const auto found = std::ranges::find(attributes_, type, &LinkAttribute::type);
    if (found != attributes_.end()) std::rotate(found, found + 1, attributes_.end());
}

void OptionScope::erase(uint16_t type) {
    std::erase_if(attributes_, [&](const LinkAttribute& each) { return each.type == type; });
}

Parsed<const LinkRow*> find_option(std::span<const LinkRow> rows, std::string_view word,
                                   const Traits& traits) {
    const LinkRow* found = nullptr;
    bool several = false;
    for (const LinkRow& row : rows) {
        if (row.codec.read == nullptr) continue;
        for (size_t i = 0; i <= row.also.size(); ++i) {
            const std::string_view& name = i == 0 ? row.word : row.also[i - 1];
            if (name.empty()) break;
            const bool whole = name == word;
            if (!whole && (row.exact || !matches(word, name))) continue;
            const auto counts = traits.counts(row.since, row.until);
            if (counts == Traits::Answer::no) continue;
            if (counts == Traits::Answer::unknown)
                return declined("link: " + unknown_trait(traits, row.since, row.until));
            if (whole || row.first) return &row;
            several = several || found != nullptr;
            found = &row;
        }
    }
    if (several) return declined("link: ambiguous abbreviation");
    return found;
}

Parsed<void> read_options(OptionScope& scope, std::span<const LinkRow> rows, Arguments& arguments) {
    const Traits& traits = scope.context().options.traits;
    while (!arguments.empty()) {
        const LinkRow* row = TRY(find_option(rows, arguments.take(), traits));
        if (row == nullptr) return declined("link: unknown option");
        TRY(read_option(scope, *row, arguments));
    }
    return {};
}

Parsed<void> read_option(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    const std::string_view value = arguments.empty() ? "" : arguments.peek();
    auto read = row.codec.read(scope, row, arguments);
    const char* said = row.complaint != nullptr ? row.complaint : row.codec.complaint;
    if (read || said == nullptr) return read;
    const std::string complaint = fmt::format(fmt::runtime(said), row.word);
    return std::unexpected(with_complaint(std::move(read.error()), value, complaint.c_str()));
}

Parsed<void> read_u8(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    return read_unsigned<uint8_t>(scope, row, arguments);
}
Parsed<void> read_u16(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    return read_unsigned<uint16_t>(scope, row, arguments);
}
Parsed<void> read_u32(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    return read_unsigned<uint32_t>(scope, row, arguments);
}
Parsed<void> read_u64(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    return read_number<uint64_t>(scope, row, arguments, parse_u64);
}
Parsed<void> read_int(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    return read_number<uint32_t>(scope, row, arguments,
                                 [](std::string_view word) { return parse_u32(word, INT_MAX); });
}
Parsed<void> read_port(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    return read_number<uint16_t>(scope, row, arguments,
                                 [](std::string_view word) -> Parsed<uint16_t> {
                                     const auto port = parse_u16(word);
                                     if (!port) return port;
                                     return htons(*port);
                                 });
}
Parsed<void> read_on_off(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    return read_number<uint8_t>(scope, row, arguments, [&](std::string_view word) {
        return parse_switch(row.word, word, arguments.traits(), 1);
    });
}
Parsed<void> read_name(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    return read_number<uint8_t>(scope, row, arguments,
                                [&](std::string_view word) { return name_index(row.names, word); });
}
Parsed<void> read_any_case_name(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    return read_number<uint8_t>(scope, row, arguments, [&](std::string_view word) {
        return any_case_index(row.names, word);
    });
}

Parsed<void> read_link_address(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    const auto word = TRY(arguments.value(row.word));
    const auto address = parse_link_address(word);
    if (!address) return bad_link_address(arguments.traits(), word);
    const auto bytes = address->span();
    return scope.put(row.attribute, std::string(bytes.begin(), bytes.end()));
}

Parsed<void> read_device(OptionScope& scope, const LinkRow& row, Arguments& arguments,
                         LinkDevice::Role role) {
    const auto word = TRY(arguments.value(row.word));
    auto name = TRY(parse_device(word));
    return scope.put(row.attribute, LinkDevice{std::move(name), role});
}

Parsed<void> read_table(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    const auto word = TRY(arguments.value(row.word));
    const auto table = scope.context().names.value(NameKind::table, word);
    if (!table) return unreadable(word, "link: unknown table");
    return scope.put_number(row.attribute, *table);
}

Parsed<void> read_bit(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    const auto word = TRY(arguments.value(row.word));
    const auto on = TRY(parse_on_off(word));
    scope.put_bits(row.attribute, row.parameter, on);
    return {};
}

namespace {

// iproute2 knows the names of all Ethernet protocols, as in linux/if_ether.h without ETH_P_.
bool is_other_protocol(std::string_view word) {
    constexpr std::string_view names[] = {
        "1588",     "8022",     "8023",    "802_2",    "802_3",   "aarp",      "all",
        "aoe",      "arp",      "atalk",   "atmfate",  "atmmpoa", "ax25",      "bpq",
        "can",      "control",  "cust",    "ddcmp",    "dec",     "diag",      "dna_dl",
        "dna_rc",   "dna_rt",   "econet",  "ethercat", "ieeepup", "ieeepupat", "ip",
        "ipv6",     "ipx",      "irda",    "lat",      "lldp",    "localtalk", "loop",
        "mobitex",  "mpls_mc",  "mpls_uc", "ppp_disc", "ppp_mp",  "ppp_ses",   "ppptalk",
        "profinet", "pup",      "pupat",   "rarp",     "sca",     "snap",      "teb",
        "tipc",     "tr_802_2", "wan_ppp", "x25"};
    return any_case_index(names, word).has_value();
}

}  // namespace

Parsed<void> read_vlan_protocol(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    constexpr std::pair<const char*, uint16_t> protocols[] = {{"802.1Q", ETH_P_8021Q},
                                                              {"802.1ad", ETH_P_8021AD}};
    const auto word = TRY(arguments.value(row.word));
    for (const auto& [name, number] : protocols) {
        if (strcasecmp(std::string(word).c_str(), name) == 0) {
            return scope.put_number(row.attribute, htons(number));
        }
    }
    if (parse_u16(word) || !is_plain_value(word) || is_other_protocol(word)) {
        return declined("link: a protocol that isn't VLANs'");
    }
    return bad_value("link: unknown VLAN protocol");
}

Parsed<void> set_u8(OptionScope& scope, const LinkRow& row, Arguments&) {
    return scope.put_number(row.attribute, static_cast<uint8_t>(row.parameter));
}
Parsed<void> set_u16(OptionScope& scope, const LinkRow& row, Arguments&) {
    return scope.put_number(row.attribute, static_cast<uint16_t>(row.parameter));
}
Parsed<void> set_u32(OptionScope& scope, const LinkRow& row, Arguments&) {
    return scope.put_number(row.attribute, row.parameter);
}
Parsed<void> set_flag(OptionScope& scope, const LinkRow& row, Arguments&) {
    return scope.put(row.attribute, std::string());
}

Parsed<uint8_t> name_index(OptionNames names, std::string_view word) {
    const auto found = std::ranges::find(names, word);
    if (found == names.end()) return bad_value("link: unknown value");
    return static_cast<uint8_t>(found - names.begin());
}

Parsed<uint8_t> any_case_index(OptionNames names, std::string_view word) {
    const auto found = std::ranges::find_if(names, [&](std::string_view name) {
        return name.size() == word.size() &&
               strncasecmp(name.data(), word.data(), name.size()) == 0;
    });
    if (found == names.end()) return bad_value("link: unknown value");
    return static_cast<uint8_t>(found - names.begin());
}

Parsed<uint8_t> begun_index(const LinkRow& row, std::string_view word) {
    const auto found =
        std::ranges::find_if(row.names, [&](std::string_view name) { return matches(word, name); });
    if (found == row.names.end()) {
        return refused(fmt::format("Error: argument of \"{}\" must be one of \"{}\", not \"{}\"\n",
                                   row.word, fmt::join(row.names, "\", \""), word),
                       1);
    }
    return static_cast<uint8_t>(found - row.names.begin());
}

}  // namespace nlsh
