// sort and uniq, in the C locale.
#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <vector>

#include "backend/filter/filter.h"
#include "backend/filter/lines.h"

namespace nlsh {
namespace {

// The number at the start of a line, as sort -n sees it: any length, no exponent.
struct Number {
    bool negative = false;
    std::string_view whole, fraction;  // without leading and trailing zeros
};

std::string_view take_digits(std::string_view& text) {
    size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
    auto digits = text.substr(0, end);
    text.remove_prefix(end);
    return digits;
}

Number read_number(std::string_view text) {
    Number number;
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    if (text.starts_with('-')) {
        number.negative = true;
        text.remove_prefix(1);
    }
    number.whole = take_digits(text);
    number.whole.remove_prefix(std::min(number.whole.find_first_not_of('0'), number.whole.size()));
    if (text.starts_with('.')) {
        text.remove_prefix(1);
        number.fraction = take_digits(text);
        number.fraction = number.fraction.substr(0, number.fraction.find_last_not_of('0') + 1);
    }
    if (number.whole.empty() && number.fraction.empty()) number.negative = false;
    return number;
}

std::strong_ordering compare_numbers(std::string_view a, std::string_view b) {
    Number x = read_number(a), y = read_number(b);
    if (x.negative != y.negative)
        return x.negative ? std::strong_ordering::less : std::strong_ordering::greater;
    auto order = x.whole.size() <=> y.whole.size();
    if (order == 0) order = x.whole <=> y.whole;
    if (order == 0) order = x.fraction <=> y.fraction;
    return x.negative ? 0 <=> order : order;
}

}  // namespace

int run_filter(const Sort& sort, std::string_view input, Output& out) {
    std::vector<std::string_view> all;
    Lines lines(input);
    while (auto line = lines.next())
        all.push_back(*line);
    auto key_order = [&](std::string_view a, std::string_view b) {
        return sort.numeric ? compare_numbers(a, b) : a <=> b;
    };
    auto before = [&](std::string_view a, std::string_view b) {
        auto order = key_order(a, b);
        if (order == 0 && !sort.unique) order = a <=> b;
        if (order == 0) return a.data() < b.data();  // stable: all are views of one text
        return sort.reverse ? order > 0 : order < 0;
    };
    std::ranges::sort(all, before);
    std::string text;
    for (size_t i = 0; i < all.size(); i++) {
        if (sort.unique && i > 0 && key_order(all[i - 1], all[i]) == 0) continue;
        text.append(all[i]).append("\n");
    }
    if (!text.empty()) out.write(text);
    return 0;
}

int run_filter(const Uniq& uniq, std::string_view input, Output& out) {
    std::string text;
    std::optional<std::string_view> previous;
    uint64_t count = 0;
    auto flush = [&] {
        if (!previous) return;
        if ((uniq.repeated && count == 1) || (uniq.unique && count > 1)) return;
        if (uniq.count) text += fmt::format("{:7} ", count);
        text.append(*previous).append("\n");
    };
    Lines lines(input);
    while (auto line = lines.next()) {
        if (previous == line) {
            count++;
            continue;
        }
        flush();
        previous = line;
        count = 1;
    }
    flush();
    if (!text.empty()) out.write(text);
    return 0;
}

}  // namespace nlsh
