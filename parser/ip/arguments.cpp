#include "parser/ip/arguments.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <bit>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "parser/ip/refusal.h"
#include "parser/text.h"
#include "parser/try.h"

namespace nlsh {
namespace {

std::unexpected<Decline> bad(std::string_view what, std::string_view word) {
    return declined(fmt::format("bad {}: {}", what, word));
}

// The same if strtoul doesn't take the word either.
std::unexpected<Decline> bad_number(std::string_view word) {
    return unreadable(word, fmt::format("bad number: {}", word));
}

// The base of the digits, as strtoul finds it; removes the prefix.
int number_base(std::string_view& word) {
    if (word.size() > 2 && word[0] == '0' && (word[1] == 'x' || word[1] == 'X')) {
        word.remove_prefix(2);
        return 16;
    }
    return word.size() > 1 && word[0] == '0' ? 8 : 10;
}

// Up to four components, each in base 0; missing ones are zero at the right.
bool parse_ipv4(std::string_view word, std::array<uint8_t, 16>& bytes) {
    for (size_t i = 0; i < 4; ++i) {
        const size_t end = std::min(word.find('.'), word.size());
        const auto part = parse_u32(word.substr(0, end), 255);
        if (!part) return false;
        bytes[i] = static_cast<uint8_t>(*part);
        if (end == word.size()) return true;
        word.remove_prefix(end + 1);
    }
    return false;
}

bool parse_ipv6(std::string_view word, std::array<uint8_t, 16>& bytes) {
    const std::string text(word);
    return inet_pton(AF_INET6, text.c_str(), bytes.data()) == 1;
}

bool any_address(std::string_view word) {
    return word == "default" || word == "any" || word == "all";
}

InetPrefix unspecified(std::string_view word, uint8_t family) {
    InetPrefix prefix;
    prefix.family = family;
    // "default" has the length 0; "any" and "all" have no length.
    prefix.has_bits = word == "default";
    return prefix;
}

// The length after the slash: a number, or a contiguous IPv4 mask, which iproute2 also takes after
// an IPv6 address. "any" and the like are a mask of zeros.
Parsed<uint8_t> parse_length(std::string_view word, const InetPrefix& prefix) {
    const auto limit = static_cast<uint32_t>(prefix.size * 8);
    if (const auto bits = parse_u32(word, limit)) return static_cast<uint8_t>(*bits);
    if (any_address(word)) return uint8_t{0};
    std::array<uint8_t, 16> mask{};
    if (word.find('.') == word.npos || !parse_ipv4(word, mask)) {
        return bad_value("a prefix length");
    }
    const uint32_t value = static_cast<uint32_t>(mask[0]) << 24 |
                           static_cast<uint32_t>(mask[1]) << 16 |
                           static_cast<uint32_t>(mask[2]) << 8 | mask[3];
    const int ones = std::countl_one(value);
    if (ones < 32 && (value << ones) != 0) return bad_value("a mask");
    return static_cast<uint8_t>(ones);
}

// Reads all of `digits` as a number. `word` is for the error text.
Parsed<uint64_t> whole_number(std::string_view word, std::string_view digits, int base) {
    uint64_t value;
    return read_number(digits, value, base) ? Parsed<uint64_t>(value) : bad_number(word);
}

template <typename T>
Parsed<T> narrowed(std::string_view word) {
    const auto value = TRY(parse_u32(word, std::numeric_limits<T>::max()));
    return static_cast<T>(value);
}

}  // namespace

std::string_view Arguments::take() {
    const std::string_view word = words_.front();
    words_ = words_.subspan(1);
    return word;
}

Parsed<std::string_view> Arguments::value(std::string_view keyword) {
    if (empty()) {
        auto refusal = refused("Command line is not complete. Try option \"help\"\n");
        refusal.error().reason = fmt::format("{} lacks its value", keyword);
        return refusal;
    }
    return take();
}

bool Arguments::take_if(std::string_view word) {
    if (empty() || peek() != word) return false;
    take();
    return true;
}

Parsed<uint64_t> parse_u64(std::string_view word) {
    std::string_view digits = word;
    const int base = number_base(digits);
    return whole_number(word, digits, base);
}

Parsed<uint32_t> parse_u32(std::string_view word, uint32_t limit) {
    const auto value = parse_u64(word);
    if (!value || *value > limit) return bad_number(word);
    return static_cast<uint32_t>(*value);
}

Parsed<uint32_t> parse_hex_u32(std::string_view word, uint32_t limit) {
    std::string_view digits = word;
    if (digits.starts_with("0x") || digits.starts_with("0X")) digits.remove_prefix(2);
    const auto value = whole_number(word, digits, 16);
    if (!value || *value > limit) return bad_number(word);
    return static_cast<uint32_t>(*value);
}

Parsed<uint16_t> parse_u16(std::string_view word) {
    return narrowed<uint16_t>(word);
}

Parsed<uint8_t> parse_u8(std::string_view word) {
    return narrowed<uint8_t>(word);
}

Parsed<bool> parse_on_off(std::string_view word) {
    if (word == "on") return true;
    if (word == "off") return false;
    return bad("on or off", word);
}

Parsed<bool> parse_switch(std::string_view keyword, std::string_view word, const Traits& traits,
                          int status) {
    if (const auto in_full = parse_on_off(word)) return in_full;
    if (!traits.has(Trait::on_off_by_table)) return declined("an error whose text isn't known");
    const bool off = matches(word, "off");
    if (off || matches(word, "on")) {
        if (traits.lacks(Trait::on_off_in_full)) return !off;
        if (!traits.has(Trait::on_off_in_full)) return declined("on or off in short");
    }
    return refused(
        fmt::format("Error: argument of \"{}\" must be one of \"off\", \"on\", not \"{}\"\n",
                    keyword, word),
        status);
}

Parsed<LinkAddress> parse_link_address(std::string_view word) {
    LinkAddress address;
    std::string_view rest = word;
    while (address.size < address.bytes.size()) {
        const size_t end = std::min(rest.find(':'), rest.size());
        const std::string_view part = rest.substr(0, end);
        uint32_t byte;
        if (!read_number(part, byte, 16) || byte > 255) break;
        address.bytes[address.size++] = static_cast<uint8_t>(byte);
        if (end == rest.size()) return address;
        rest.remove_prefix(end + 1);
    }
    return bad("hardware address", word);
}

namespace {

Parsed<InetPrefix> read_address(std::string_view word, uint8_t family) {
    if (any_address(word)) return unspecified(word, family);
    InetPrefix prefix;
    const bool ipv6 = word.find(':') != word.npos;
    prefix.family = ipv6 ? AF_INET6 : AF_INET;
    prefix.size = ipv6 ? 16 : 4;
    prefix.bits = static_cast<uint8_t>(prefix.size * 8);
    if (family != AF_UNSPEC && family != prefix.family) {
        return bad_value(fmt::format("bad family of an address: {}", word));
    }
    if (!(ipv6 ? parse_ipv6(word, prefix.bytes) : parse_ipv4(word, prefix.bytes))) {
        return bad_value(fmt::format("bad address: {}", word));
    }
    return prefix;
}

Parsed<InetPrefix> read_prefix(std::string_view word, uint8_t family) {
    const size_t slash = word.find('/');
    auto prefix = read_address(word.substr(0, slash), family);
    if (!prefix || slash == word.npos) return prefix;
    if (prefix->size == 0) return bad("prefix", word);
    const auto bits = parse_length(word.substr(slash + 1), *prefix);
    if (!bits) return std::unexpected(bits.error());
    prefix->bits = *bits;
    prefix->has_bits = true;
    return prefix;
}

}  // namespace

Parsed<InetPrefix> parse_address(std::string_view word, uint8_t family) {
    auto address = read_address(word, family);
    if (address) return address;
    return std::unexpected(with_expectation(std::move(address.error()), "address", word, family));
}

Parsed<InetPrefix> parse_prefix(std::string_view word, uint8_t family) {
    auto prefix = read_prefix(word, family);
    if (prefix) return prefix;
    return std::unexpected(with_expectation(std::move(prefix.error()), "prefix", word, family));
}

Parsed<std::string> parse_device(std::string_view word) {
    const auto bad_character = [](char c) {
        return c == '/' || std::strchr(" \t\n\v\f\r", c) != nullptr;  // NUL included
    };
    // iproute2 stores it in an int. A negative one means "no filter".
    const bool negative = number_of_device(word) > INT_MAX;
    if (word.empty() || word.size() > 15 || std::ranges::any_of(word, bad_character) || negative) {
        return bad("device name", word);
    }
    return std::string(word);
}

uint32_t number_of_device(std::string_view name) {
    if (!name.starts_with("if")) return 0;
    return static_cast<uint32_t>(std::strtoul(std::string(name.substr(2)).c_str(), nullptr, 10));
}

bool is_multicast(const InetPrefix& address) {
    return address.family == AF_INET6 ? address.bytes[0] == 0xff
                                      : (address.bytes[0] & 0xf0) == 0xe0;
}

Parsed<uint8_t> take_family(Arguments& arguments, uint8_t family) {
    if (arguments.take_if("inet")) return AF_INET;
    if (arguments.take_if("inet6")) return AF_INET6;
    for (const std::string_view other : {"link", "mpls", "bridge"}) {
        if (!arguments.empty() && arguments.peek() == other) return declined("another family");
    }
    return family;
}

}  // namespace nlsh
