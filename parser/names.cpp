#include "parser/names.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <ranges>
#include <utility>

#include "parser/ip/arguments.h"
#include "parser/text.h"

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
    {NameKind::realm, 0, "unknown"},
    // linux/if_addr.h: IFAPROT_*
    {NameKind::address_protocol, 1, "kernel_lo", Trait::address_protocol},
    {NameKind::address_protocol, 2, "kernel_ra", Trait::address_protocol},
    {NameKind::address_protocol, 3, "kernel_ll", Trait::address_protocol},
};

// iproute2 reads at most this many bytes of a line, and then the rest as another line.
constexpr size_t line_size = 512;

// iproute2 keeps these kinds in a hash table, where every name of a number counts. The other kinds
// are in an array of 256, where a number keeps only the last name that a file gives.
constexpr bool is_hashed(NameKind kind) {
    return kind == NameKind::table || kind == NameKind::group;
}

// iproute2 reads a file only when a built-in name doesn't suffice, so a line may print a number's
// built-in name or the file's. Realm 0 has no name if it follows another realm.
constexpr bool may_be_renamed(NameKind kind) {
    return is_hashed(kind) || kind == NameKind::realm;
}

// iproute2 looks along one chain after the other, latest entry first.
constexpr uint32_t chain_of(uint32_t number) {
    return number & 255;
}

struct NameLine {
    int number;
    std::string_view name;
};

// Reads the usual line (digits, blanks, a name) in a tenth of sscanf's time. Nothing: use sscanf.
std::optional<NameLine> read_plain(std::string_view line) {
    const bool hexadecimal = line.starts_with("0x");
    if (hexadecimal) line.remove_prefix(2);
    if (line.starts_with('-')) return {};
    int number;
    const auto [end, error] =
        std::from_chars(line.begin(), line.end(), number, hexadecimal ? 16 : 10);
    line.remove_prefix(static_cast<size_t>(end - line.data()));
    const size_t blanks = std::min(line.find_first_not_of(" \t"), line.size());
    if (error != std::errc{} || blanks == 0) return {};
    line.remove_prefix(blanks);
    const std::string_view name = line.substr(0, line.find_first_of(" \t\n\v\f\r"));
    if (name.empty()) return {};
    return NameLine{number, name};
}

// As sscanf(3) reads it: `+7`, ` 7name`, `0x0x7`, and 0 of `0y`. The name is put into `name`.
std::optional<NameLine> read_any(const char* line, char (&name)[line_size]) {
    unsigned hexadecimal = 0;
    int number = 0;
    if (std::sscanf(line, "0x%x %511s", &hexadecimal, name) == 2)
        return NameLine{static_cast<int>(hexadecimal), name};
    if (std::sscanf(line, "%d %511s", &number, name) == 2) return NameLine{number, name};
    return {};
}

}  // namespace

void NameTable::add(uint32_t number, std::string_view name) {
    latest_[number] = entries_.size();
    entries_.push_back({number, std::string(name), true});
}

bool NameTable::add_line(const char* line) {
    line += std::strspn(line, " \t");
    if (*line == 0 || *line == '\n' || *line == '#') return true;
    char buffer[line_size];
    auto read = read_plain(line);
    if (!read) read = read_any(line, buffer);
    if (!read) return false;
    const auto [number, name] = *read;
    if (number < 0) return true;
    // iproute2 writes number 256 beyond the end of its array, and may crash.
    if (!is_hashed(kind_) && number > 255) return number > 256;
    const auto [latest, fresh] = latest_.try_emplace(static_cast<uint32_t>(number));
    const bool built_in = !fresh && entries_[latest->second].built_in;
    if (built_in && !may_be_renamed(kind_) && entries_[latest->second].name != name) return false;
    latest->second = entries_.size();
    entries_.push_back({latest->first, std::string(name), built_in});
    return true;
}

bool NameTable::add_file(std::string_view text) {
    char line[line_size];  // ends at the first NUL, even one from the file
    while (!text.empty()) {
        const size_t size = std::min({text.find('\n'), text.size() - 1, line_size - 2}) + 1;
        line[text.copy(line, size)] = 0;
        text.remove_prefix(size);
        if (!add_line(line)) return false;
    }
    return true;
}

bool NameTable::counts(const Entry& entry) const {
    return is_hashed(kind_) || name(entry.number) == entry.name;
}

std::optional<uint32_t> NameTable::number(std::string_view name) const {
    std::optional<uint32_t> found;
    for (const auto& entry : entries_ | std::views::reverse) {
        if (entry.name != name || !counts(entry)) continue;
        if (!found || chain_of(entry.number) < chain_of(*found)) found = entry.number;
    }
    return found;
}

std::string_view NameTable::name(uint32_t number) const {
    const auto found = latest_.find(number);
    return found == latest_.end() ? std::string_view{} : entries_[found->second].name;
}

NameTables::NameTables(Load load) : load_(std::move(load)) {
    for (size_t place = 0; place < name_kinds; ++place)
        tables_[place] = NameTable(static_cast<NameKind>(place));
}

std::optional<uint32_t> NameTables::value(NameKind kind, std::string_view word) const {
    if (const auto number = (*this)[kind].number(word)) return number;
    if (kind == NameKind::dsfield) {  // hexadecimal, with or without 0x
        const std::string_view digits = word.starts_with("0x") ? word.substr(2) : word;
        uint32_t number;
        if (!read_number(digits, number, 16) || number > 255) return {};
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
