// Values in bridge's forms, which differ from ip's.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "parser/decline.h"
#include "parser/ip/arguments.h"
#include "parser/ip/refusal.h"

namespace nlsh {

// What atoi and strtol(base 10) agree on: decimal digits and nothing else, at most `limit`.
Parsed<uint32_t> parse_decimal(std::string_view word, uint32_t limit);

// A VLAN, a tunnel id or a VNI, or a range of them.
struct IdRange {
    uint32_t first = 0;
    std::optional<uint32_t> last = {};  // none: a single one
    bool operator==(const IdRange&) const = default;
};
// N or N-M, the latter larger; both at most `limit`.
Parsed<IdRange> parse_id_range(std::string_view word, uint32_t limit);

// The STP states by BR_STATE_*; the number of one by its name.
inline constexpr std::string_view port_states[] = {"disabled", "listening", "learning",
                                                   "forwarding", "blocking"};
std::optional<uint8_t> port_state(std::string_view word);

using MacAddress = std::array<uint8_t, 6>;
// Six fields of one or two hexadecimal digits.
Parsed<MacAddress> parse_mac(std::string_view word);

// The value after `keyword`, which may be given once; `complaint` as Keyword has it.
template <typename T, typename Parse>
Parsed<void> take_once(Arguments& arguments, std::string_view keyword, T& place, Parse parse,
                       const char* complaint = nullptr) {
    if (place != T{}) return declined(std::string(keyword) + " twice");
    const auto word = arguments.value(keyword);
    if (!word) return std::unexpected(word.error());
    auto value = parse(*word);
    if (!value) return std::unexpected(with_complaint(std::move(value.error()), *word, complaint));
    place = std::move(*value);
    return {};
}

// The same; a second one is refused by name.
template <typename T, typename Parse>
Parsed<void> take_single(Arguments& arguments, std::string_view keyword, T& place, Parse parse) {
    if (place == T{}) return take_once(arguments, keyword, place, parse);
    const auto word = arguments.value(keyword);
    if (!word) return std::unexpected(word.error());
    return refused("Error: duplicate \"" + std::string(keyword) + "\": \"" + std::string(*word) +
                   "\" is the second value.\n");
}

}  // namespace nlsh
