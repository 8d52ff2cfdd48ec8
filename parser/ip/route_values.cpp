#include "parser/ip/route_values.h"

#include <linux/rtnetlink.h>

#include <charconv>

namespace nlsh {

namespace {

struct TypeName {
    std::string_view name;
    bool prefix;
    uint8_t type;
};

// In the order in which iproute2 tries them: "u" is unreachable.
constexpr TypeName type_names[] = {
    {"local", false, RTN_LOCAL},         {"nat", false, RTN_NAT},
    {"brd", false, RTN_BROADCAST},       {"broadcast", true, RTN_BROADCAST},
    {"anycast", true, RTN_ANYCAST},      {"multicast", true, RTN_MULTICAST},
    {"prohibit", true, RTN_PROHIBIT},    {"unreachable", true, RTN_UNREACHABLE},
    {"blackhole", true, RTN_BLACKHOLE},  {"xresolve", true, RTN_XRESOLVE},
    {"unicast", true, RTN_UNICAST},      {"throw", false, RTN_THROW},
};

}  // namespace

Parsed<uint8_t> parse_route_type(std::string_view word) {
    for (const TypeName& entry : type_names) {
        if (entry.prefix ? matches(word, entry.name) : word == entry.name) return entry.type;
    }
    return parse_u8(word);
}

Parsed<uint8_t> parse_named_u8(const NameTables& names, NameKind kind, std::string_view word) {
    const auto number = names.value(kind, word);
    if (!number || *number > UINT8_MAX) return declined("not a name or number of one byte");
    return static_cast<uint8_t>(*number);
}

Parsed<uint8_t> parse_dsfield(const NameTables& names, std::string_view word) {
    if (const auto number = names[NameKind::dsfield].number(word); number && *number <= UINT8_MAX) {
        return static_cast<uint8_t>(*number);
    }
    if (word.starts_with("0x") || word.starts_with("0X")) word.remove_prefix(2);
    uint8_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value, 16);
    if (error != std::errc{} || end != word.data() + word.size()) return declined("tos");
    return value;
}

Parsed<uint32_t> parse_table(const NameTables& names, std::string_view word) {
    const auto number = names.value(NameKind::table, word);
    if (!number) return declined("no table's name or number");
    return *number;
}

Parsed<uint32_t> parse_realms(const NameTables& names, std::string_view word) {
    const auto realm = [&](std::string_view part) { return names.value(NameKind::realm, part); };
    const size_t slash = word.find('/');
    if (slash == std::string_view::npos) {
        const auto number = realm(word);
        return number ? Parsed<uint32_t>(*number) : declined("realm");
    }
    const auto from = realm(word.substr(0, slash));
    const auto to = realm(word.substr(slash + 1));
    if (!from || !to || *from > UINT16_MAX || *to > UINT16_MAX) return declined("realms");
    return *from << 16 | *to;
}

Parsed<void> take_device(std::string& device, Arguments& arguments) {
    const auto word = arguments.value("dev");
    if (!word) return std::unexpected(word.error());
    auto name = parse_device(*word);
    if (!name) return std::unexpected(name.error());
    device = *std::move(name);
    return {};
}

bool is_address_word(std::string_view word) {
    return word == "default" || word == "any" || word == "all";
}

Parsed<InetPrefix> parse_plain_address(std::string_view word, uint8_t family) {
    if (is_address_word(word)) return declined("a word for an address");
    return parse_address(word, family);
}

}  // namespace nlsh
