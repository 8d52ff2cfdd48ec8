#include "parser/names.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "parser/ip/arguments.h"

namespace nlsh {
namespace {

// linux/rtnetlink.h: RTPROT_*, RT_TABLE_*, RT_SCOPE_*; group 0 is "default" (ip-link(8)).
constexpr BuiltInName names_of_kernel[] = {
    {NameKind::protocol, 0, "unspec"},
    {NameKind::protocol, 1, "redirect"},
    {NameKind::protocol, 2, "kernel"},
    {NameKind::protocol, 3, "boot"},
    {NameKind::protocol, 4, "static"},
    {NameKind::protocol, 8, "gated"},
    {NameKind::protocol, 9, "ra"},
    {NameKind::protocol, 10, "mrt"},
    {NameKind::protocol, 11, "zebra"},
    {NameKind::protocol, 12, "bird"},
    {NameKind::protocol, 13, "dnrouted"},
    {NameKind::protocol, 14, "xorp"},
    {NameKind::protocol, 15, "ntk"},
    {NameKind::protocol, 16, "dhcp"},
    {NameKind::protocol, 18, "keepalived"},
    {NameKind::protocol, 42, "babel"},
    {NameKind::protocol, 186, "bgp"},
    {NameKind::protocol, 187, "isis"},
    {NameKind::protocol, 188, "ospf"},
    {NameKind::protocol, 189, "rip"},
    {NameKind::protocol, 192, "eigrp"},
    {NameKind::table, 253, "default"},
    {NameKind::table, 254, "main"},
    {NameKind::table, 255, "local"},
    {NameKind::scope, 0, "global"},
    {NameKind::scope, 255, "nowhere"},
    {NameKind::scope, 254, "host"},
    {NameKind::scope, 253, "link"},
    {NameKind::scope, 200, "site"},
    {NameKind::group, 0, "default"},
    // linux/if_addr.h: IFAPROT_*
    {NameKind::address_protocol, 1, "kernel_lo", Trait::address_protocol},
    {NameKind::address_protocol, 2, "kernel_ra", Trait::address_protocol},
    {NameKind::address_protocol, 3, "kernel_ll", Trait::address_protocol},
};

constexpr bool blank(char c) {
    return c == ' ' || c == '\t';
}

std::string_view skip_blanks(std::string_view text) {
    const auto start = std::ranges::find_if_not(text, blank);
    return text.substr(static_cast<size_t>(start - text.begin()));
}

// One line `NUMBER NAME`. False: the file is corrupted there.
bool read_line(std::string_view line, uint32_t& number, std::string_view& name) {
    const bool hex = line.starts_with("0x");
    if (hex) line.remove_prefix(2);
    const auto [end, error] =
        std::from_chars(line.data(), line.data() + line.size(), number, hex ? 16 : 10);
    if (error != std::errc{}) return false;
    line = skip_blanks(line.substr(static_cast<size_t>(end - line.data())));
    name = line.substr(0, line.find_first_of(" \t#"));
    return !name.empty();
}

}  // namespace

void NameTable::add(uint32_t number, std::string_view name) {
    by_number_[number] = name;
    by_name_.emplace_back(name, number);
}

bool NameTable::add_file(std::string_view text, uint32_t limit) {
    constexpr size_t line_max =
        510;  // iproute2 reads the rest of a longer one as a line of its own
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        if (end > line_max) return false;
        const std::string_view line = skip_blanks(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty() || line.front() == '#') continue;
        uint32_t number;
        std::string_view name;
        if (!read_line(line, number, name)) return false;
        if (number <= limit) add(number, name);
    }
    return true;
}

std::optional<uint32_t> NameTable::number(std::string_view name) const {
    std::optional<uint32_t> lowest;
    for (const auto& [known, number] : by_name_) {
        // A later entry may have renamed the number.
        if (known != name || this->name(number) != name) continue;
        if (!lowest || number < *lowest) lowest = number;
    }
    return lowest;
}

std::string_view NameTable::name(uint32_t number) const {
    const auto found = by_number_.find(number);
    return found == by_number_.end() ? std::string_view{} : std::string_view(found->second);
}

std::optional<uint32_t> NameTables::value(NameKind kind, std::string_view word) const {
    if (const auto number = (*this)[kind].number(word)) return number;
    if (kind == NameKind::dsfield) {  // hexadecimal, with or without 0x
        const std::string_view digits = word.starts_with("0x") ? word.substr(2) : word;
        uint32_t number;
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), number, 16);
        if (error != std::errc{} || end != digits.data() + digits.size() || number > 255) return {};
        return number;
    }
    const bool byte = kind == NameKind::protocol || kind == NameKind::scope ||
                      kind == NameKind::realm || kind == NameKind::address_protocol;
    const auto number = parse_u32(word, byte ? 255 : UINT32_MAX);
    return number ? std::optional(*number) : std::nullopt;
}

NameTable& NameTables::loaded(NameKind kind) const {
    const auto place = static_cast<size_t>(kind);
    if (load_ && !asked_[place]) {
        asked_[place] = true;
        if (!load_(kind, tables_[place])) corrupted = true;
    }
    return tables_[place];
}

void NameTables::load_iproute2() const {
    for (size_t kind = 0; kind < name_kinds; ++kind)
        if (static_cast<NameKind>(kind) != NameKind::ip_protocol)
            loaded(static_cast<NameKind>(kind));
}

NameTables NameTables::built_in(Traits traits) {
    NameTables tables;
    for (size_t place = 0; place < name_kinds; ++place) {
        const auto kind = static_cast<NameKind>(place);
        if (!add_built_in(kind, tables[kind], traits)) tables.corrupted = true;
    }
    return tables;
}

const std::span<const BuiltInName> built_in_names = names_of_kernel;

bool add_built_in(NameKind kind, NameTable& table, Traits traits,
                  std::span<const BuiltInName> names) {
    for (const BuiltInName& entry : names) {
        if (entry.kind != kind) continue;
        const Traits::Answer there = traits.counts(entry.since, entry.until);
        if (there == Traits::Answer::unknown) return false;
        if (there == Traits::Answer::yes) table.add(entry.number, entry.name);
    }
    return true;
}

}  // namespace nlsh
