#include "parser/ip/lenient_values.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <charconv>

namespace nlsh {

Parsed<uint32_t> parse_leading_digits(std::string_view word, uint32_t limit) {
    uint32_t value = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    const bool digits = stop != word.data();
    if (value > limit || error == std::errc::result_out_of_range ||
        (!digits && !word.empty() && !is_plain_value(word.substr(0, 1)))) {
        return declined(fmt::format("bad number: {}", word));
    }
    return digits ? value : 0;
}

Parsed<IdRange> parse_leading_range(std::string_view word, uint32_t limit) {
    const size_t dash = word.find('-');
    const auto first = parse_leading_digits(word.substr(0, dash), limit);
    if (!first) return std::unexpected(first.error());
    if (dash == word.npos) return IdRange{.first = *first};
    const auto last = parse_leading_digits(word.substr(dash + 1), limit);
    if (!last) return std::unexpected(last.error());
    return IdRange{.first = *first, .last = *last};
}

Parsed<IdRange> parse_vlan_range(std::string_view word) {
    return parse_leading_range(word, INT16_MAX);
}

Parsed<void> check_vlan_range(const IdRange& range) {
    constexpr uint32_t end = 4096;
    if (range.first >= end) return refused(fmt::format("Invalid VLAN ID \"{}\"\n", range.first));
    if (range.last && (*range.last <= range.first || *range.last >= end)) {
        return refused(fmt::format("Invalid VLAN range \"{}-{}\"\n", range.first, *range.last));
    }
    return {};
}

std::optional<size_t> short_address_size(std::string_view word) {
    if (word.contains(':')) return std::nullopt;
    if (word.contains('.')) {
        const auto address = parse_address(word, AF_INET);
        return address ? std::optional<size_t>(address->size) : std::nullopt;
    }
    const size_t digits = std::min(word.find_first_not_of("0123456789abcdefABCDEF"), word.size());
    const bool prefixed = word.starts_with("0x") || word.starts_with("0X");
    return digits >= 1 && digits <= 2 && !prefixed ? std::optional<size_t>(1) : std::nullopt;
}

}  // namespace nlsh
