#include "parser/ip/bridge_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

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
    static constexpr std::string_view names[] = {"disabled", "listening", "learning", "forwarding",
                                                 "blocking"};
    const auto name = std::ranges::find(names, word);
    if (name == std::end(names)) return std::nullopt;
    return static_cast<uint8_t>(name - std::begin(names));
}

Parsed<MacAddress> parse_mac(std::string_view word) {
    MacAddress address{};
    std::string_view rest = word;
    for (size_t i = 0; i < address.size(); ++i) {
        const bool last = i + 1 == address.size();
        const std::string_view field = last ? rest : rest.substr(0, rest.find(':'));
        const char* end = field.data() + field.size();
        const auto [stop, error] = std::from_chars(field.data(), end, address[i], 16);
        if (error != std::errc{} || stop != end || field.size() > 2) {
            return declined(fmt::format("bad MAC address: {}", word));
        }
        rest.remove_prefix(std::min(rest.size(), field.size() + 1));
    }
    return address;
}

}  // namespace nlsh
