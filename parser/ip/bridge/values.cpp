#include "parser/ip/bridge/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <iterator>

#include "parser/ip/arguments.h"

namespace nlsh {

Parsed<uint32_t> parse_decimal(std::string_view word, uint32_t limit) {
    uint32_t value = 0;
    const char* end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, value);
    if (error != std::errc{} || stop != end || value > limit) {
        return declined(fmt::format("bad number: {}", word));
    }
    return value;
}

Parsed<IdRange> parse_id_range(std::string_view word, uint32_t limit) {
    const size_t dash = word.find('-');
    const auto first = parse_decimal(word.substr(0, dash), limit);
    if (!first) return std::unexpected(first.error());
    if (dash == word.npos) return IdRange{.first = *first};
    const auto last = parse_decimal(word.substr(dash + 1), limit);
    if (!last) return std::unexpected(last.error());
    if (*last <= *first) return declined(fmt::format("bad range: {}", word));
    return IdRange{.first = *first, .last = *last};
}

std::optional<uint8_t> port_state(std::string_view word) {
    const auto name = std::ranges::find(port_states, word);
    if (name == std::end(port_states)) return std::nullopt;
    return static_cast<uint8_t>(name - std::begin(port_states));
}

// As sscanf reads it: what follows the sixth field doesn't count.
Parsed<MacAddress> parse_mac(std::string_view word) {
    MacAddress a{};
    // Nearly all: sscanf reads the same, ten times as long.
    if (const auto plain = parse_link_address(word); plain && plain->size == a.size()) {
        std::ranges::copy(plain->span(), a.begin());
        return a;
    }
    const std::string text(word);
    const int fields = std::sscanf(text.c_str(), "%hhx:%hhx:%hhx:%hhx:%hhx:%hhx", &a[0], &a[1],
                                   &a[2], &a[3], &a[4], &a[5]);
    // Signs and blanks are left to bridge.
    const bool plain = word.find_first_of(std::string_view("+- \t\n\v\f\r\0", 9)) == word.npos;
    if (!plain) return declined(fmt::format("bad MAC address: {}", word));
    if (fields == 6) return a;
    return bad_value(fmt::format("bad MAC address: {}", word));
}

}  // namespace nlsh
