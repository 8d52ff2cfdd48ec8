#include <fmt/format.h>

#include "parser/text.h"
#include "shim/mock/scenario.h"

namespace nlsh {
namespace {

// The next word or quoted text; nullopt: the rule has ended.
std::optional<std::string> next(std::string_view& rest) {
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    if (rest.empty()) return {};
    const bool quoted = rest[0] == '"';
    const size_t start = quoted ? 1 : 0;
    const size_t end = std::min(rest.find(quoted ? '"' : ' ', start), rest.size());
    std::string word(rest.substr(start, end - start));
    rest.remove_prefix(std::min(end + start, rest.size()));
    return word;
}

std::optional<int> number(const std::optional<std::string>& word, int most) {
    int value = 0;
    if (!word || !read_number(*word, value) || value < 0 || value > most) return {};
    return value;
}

}  // namespace

std::expected<Expectation, std::string> read_failure(std::string_view rule) {
    std::string_view rest = rule;
    Expectation failure{
        .match = Expectation::Match::glob, .pattern = {}, .output = {}, .error = {}};
    failure.status = 1;
    const auto pattern = next(rest);
    if (!pattern || pattern->empty()) return std::unexpected("fail: no pattern");
    failure.pattern = *pattern;
    while (const auto word = next(rest)) {
        const auto value = next(rest);
        if (*word == "with" && value) {
            failure.error = *value + "\n";
        } else if (*word == "status" && number(value, 255)) {
            failure.status = *number(value, 255);
        } else if (*word == "times" && value == "any") {
            failure.times.reset();
        } else if (*word == "times" && number(value, 1'000'000)) {
            failure.times = static_cast<unsigned>(*number(value, 1'000'000));
        } else {
            return std::unexpected(
                fmt::format("fail: '{} {}' isn't known", *word, value.value_or("")));
        }
    }
    return failure;
}

}  // namespace nlsh
