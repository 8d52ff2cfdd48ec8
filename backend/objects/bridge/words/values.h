// Values in bridge's forms, which differ from ip's. bridge reads some by atoi or sscanf, which
// accept anything.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "parser/decline.h"
#include "parser/ip/arguments.h"
#include "parser/ip/keywords.h"

namespace nlsh {

// A number that atoi and strtol(base 10) read alike: only decimal digits, at most `limit`.
Parsed<uint32_t> parse_decimal(std::string_view word, uint32_t limit);

// A VLAN, a tunnel id or a VNI, or a range of them.
struct IdRange {
    uint32_t first = 0;
    std::optional<uint32_t> last = {};  // nothing: a single number
    bool operator==(const IdRange&) const = default;
};
// N or N-M with M > N; both at most `limit`.
Parsed<IdRange> parse_id_range(std::string_view word, uint32_t limit);

// The STP states by BR_STATE_*; port_state() finds the number of a name.
inline constexpr std::string_view port_states[] = {"disabled", "listening", "learning",
                                                   "forwarding", "blocking"};
std::optional<uint8_t> port_state(std::string_view word);

using MacAddress = std::array<uint8_t, 6>;
// Six fields of one or two hexadecimal digits.
Parsed<MacAddress> parse_mac(std::string_view word);

// Reads like atoi: the leading digits, or 0. Declines signs, blanks, and numbers above `limit`.
Parsed<uint32_t> parse_leading_digits(std::string_view word, uint32_t limit);

// N or N-M, each read by parse_leading_digits().
Parsed<IdRange> parse_leading_range(std::string_view word, uint32_t limit);
// A VLAN or a range, as bridge reads it with atoi. Declines values that a short can't hold.
Parsed<IdRange> parse_vlan_range(std::string_view word);
// The checks of a range that bridge itself makes.
Parsed<void> check_vlan_range(const IdRange& range);

// How many bytes bridge and ip get from a word that is no full link-layer address: 4 from an IPv4
// address, 1 if it begins with one or two hexadecimal digits; nullopt: unknown.
std::optional<size_t> short_address_size(std::string_view word);

// For rows: puts a device into a field of a show; a second one is refused.
template <auto Field, typename Show>
Parsed<void> single_device(Show& show, Arguments& arguments) {
    return take_single(arguments, "dev", show.*Field, parse_device);
}

}  // namespace nlsh
