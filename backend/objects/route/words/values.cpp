#include "backend/objects/route/words/values.h"

#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include <algorithm>

#include "backend/objects/route/words/encap.h"
#include "parser/ip/keywords.h"
#include "parser/ip/refusal.h"
#include "parser/try.h"

namespace nlsh {
namespace {

constexpr uint8_t label_bits = 20;  // RFC 3032, 2.1

struct TypeName {
    std::string_view name;
    bool prefix;
    uint8_t type;
};

// In the order in which iproute2 tries them: "u" is unreachable.
constexpr TypeName type_names[] = {
    {"local", false, RTN_LOCAL},        {"nat", false, RTN_NAT},
    {"brd", false, RTN_BROADCAST},      {"broadcast", true, RTN_BROADCAST},
    {"anycast", true, RTN_ANYCAST},     {"multicast", true, RTN_MULTICAST},
    {"prohibit", true, RTN_PROHIBIT},   {"unreachable", true, RTN_UNREACHABLE},
    {"blackhole", true, RTN_BLACKHOLE}, {"xresolve", true, RTN_XRESOLVE},
    {"unicast", true, RTN_UNICAST},     {"throw", false, RTN_THROW},
};

std::unexpected<Decline> bad_name(std::string_view word) {
    return unreadable(word, "not a name, nor a number in its range");
}

}  // namespace

Parsed<uint8_t> parse_route_type(std::string_view word) {
    for (const TypeName& entry : type_names) {
        if (entry.prefix ? matches(word, entry.name) : word == entry.name) return entry.type;
    }
    return parse_u8(word);
}

Parsed<uint8_t> parse_named_u8(const NameTables& names, NameKind kind, std::string_view word) {
    const auto number = names.value(kind, word);
    if (!number || *number > UINT8_MAX) return bad_name(word);
    return static_cast<uint8_t>(*number);
}

Parsed<uint32_t> parse_table(const NameTables& names, std::string_view word) {
    const auto number = names.value(NameKind::table, word);
    if (!number) return bad_name(word);
    return *number;
}

Parsed<uint32_t> parse_realms(const NameTables& names, std::string_view word) {
    const size_t slash = word.find('/');
    if (slash == std::string_view::npos) {
        const auto number = names[NameKind::realm].number(word);
        return number ? Parsed<uint32_t>(*number) : parse_u32(word);
    }
    const auto from = names.value(NameKind::realm, word.substr(0, slash));
    // "3/" is 3/0, but "/3" is an error.
    const bool half = slash + 1 == word.size();
    const auto to = half ? 0U : names.value(NameKind::realm, word.substr(slash + 1));
    if (!from || !to) return bad_name(word);
    return *from << 16 | *to;
}

Parsed<void> take_device(std::string& device, Arguments& arguments) {
    return take_last(arguments, "dev", device, parse_device);
}

bool is_address_word(std::string_view word) {
    return word == "default" || word == "any" || word == "all";
}

Parsed<InetPrefix> parse_route_prefix(std::string_view word, uint8_t family) {
    if (family != AF_MPLS) return parse_prefix(word, family);
    const auto label = parse_labels(word);
    if (!label || label->size() != sizeof(uint32_t)) {
        const size_t slash = word.find('/');
        const bool length = slash != word.npos;
        if (length && parse_u32(word.substr(slash + 1)).value_or(0) <= label_bits) {
            return declined("a prefix of labels");
        }
        auto decline = label ? bad_value("a long prefix of labels").error() : label.error();
        return std::unexpected(with_expectation(std::move(decline), "prefix", word, family));
    }
    InetPrefix prefix{.family = AF_MPLS, .size = sizeof(uint32_t), .bits = label_bits};
    std::ranges::copy(*label, prefix.bytes.begin());
    return prefix;
}

Parsed<InetPrefix> parse_plain_address(std::string_view word, uint8_t family) {
    if (is_address_word(word)) return declined("a word for an address");
    if (family == AF_MPLS && parse_labels(word)) return declined("a label for an address");
    return parse_address(word, family);
}

}  // namespace nlsh
