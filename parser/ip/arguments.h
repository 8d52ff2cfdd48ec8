// The words of one ip or bridge command, read from left to right, and the values in them.
//
// Declines what iproute2 refuses with a usage text, which only the real binary prints, and values
// that nlsh might read differently.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "parser/decline.h"
#include "parser/ip/traits/traits.h"

namespace nlsh {

using Words = std::span<const std::string>;

class Arguments {
  public:
    // `traits` describes the imitated iproute2.
    Arguments(Words words, Traits traits) : words_(words), traits_(traits) {}

    Traits traits() const { return traits_; }

    bool empty() const { return words_.empty(); }
    // The next word, not taken. Precondition: !empty().
    std::string_view peek() const { return words_.front(); }
    std::string_view take();
    // The word after a keyword; declines when there is none.
    Parsed<std::string_view> value(std::string_view keyword);
    // Takes the next word if it is exactly this one.
    bool take_if(std::string_view word);
    Words rest() const { return words_; }

  private:
    Words words_;
    Traits traits_;
};

// iproute2's abbreviations: `arg` is a non-empty prefix of `word`. The first letter is compared
// first, because most words of a table differ there.
inline bool matches(std::string_view arg, std::string_view word) {
    return !arg.empty() && !word.empty() && arg[0] == word[0] && word.starts_with(arg);
}

// strtoul(base 0) with nothing left over, as get_unsigned reads it; at most `limit`.
Parsed<uint32_t> parse_u32(std::string_view word, uint32_t limit = UINT32_MAX);
// The same with base 16.
Parsed<uint32_t> parse_hex_u32(std::string_view word, uint32_t limit = UINT32_MAX);
Parsed<uint16_t> parse_u16(std::string_view word);
Parsed<uint8_t> parse_u8(std::string_view word);
Parsed<uint64_t> parse_u64(std::string_view word);
// Exactly "on" or "off" (link flags).
Parsed<bool> parse_on_off(std::string_view word);
// A keyword's value, on or off. Older builds take prefixes and try "off" first, so "o" is off. Any
// other word is refused with this status.
Parsed<bool> parse_switch(std::string_view keyword, std::string_view word, const Traits& traits,
                          int status);

// A hardware address; up to MAX_ADDR_LEN bytes.
struct LinkAddress {
    uint8_t size = 0;
    std::array<uint8_t, 32> bytes{};
    std::span<const uint8_t> span() const { return {bytes.data(), size}; }
    bool operator==(const LinkAddress&) const = default;
};
// Colon-separated hex bytes (aa:bb:…). Dotted forms and lladdr with IPs are declined.
Parsed<LinkAddress> parse_link_address(std::string_view word);

// An IPv4 or IPv6 address, with or without a prefix length.
struct InetPrefix {
    uint8_t family = 0;     // AF_INET, AF_INET6; AF_UNSPEC for "default"/"any"/"all"
    uint8_t size = 0;       // bytes of the address: 4, 16; 0 for "default"
    uint8_t bits = 0;       // the prefix length
    bool has_bits = false;  // a length was written
    std::array<uint8_t, 16> bytes{};
    std::span<const uint8_t> span() const { return {bytes.data(), size}; }
    bool operator==(const InetPrefix&) const = default;
};
// `family` is the requested family (-4, -6 or the context), or AF_UNSPEC. Declines addresses of
// other families. "default", "any" and "all" give size 0 for AF_UNSPEC, otherwise zeros.
Parsed<InetPrefix> parse_prefix(std::string_view word, uint8_t family);
// The same without a prefix length; "default", "any", "all" as above.
Parsed<InetPrefix> parse_address(std::string_view word, uint8_t family);
// Precondition: there is an address (a size).
bool is_multicast(const InetPrefix& address);

// Takes the family before an address, as in `via inet6 ADDRESS`. Returns AF_INET or AF_INET6, or
// `family` if none is given. Declines other families.
Parsed<uint8_t> take_family(Arguments& arguments, uint8_t family);

// A device's name as iproute2 takes it: 1 to 15 bytes, no '/', no blank. Declines longer ones
// (altnames).
Parsed<std::string> parse_device(std::string_view word);
// The number in a name like if5, or 0. As sscanf's %u does, this accepts leading blanks and a sign,
// keeps the low 32 bits, and ignores text after the digits.
uint32_t number_of_device(std::string_view name);

}  // namespace nlsh
