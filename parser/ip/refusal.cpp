#include "parser/ip/refusal.h"

#include <fmt/format.h>

#include <algorithm>

namespace nlsh {

std::unexpected<Decline> refused(std::string message, int status) {
    std::string reason = "refused: " + message.substr(0, message.find('\n'));
    return std::unexpected(
        Decline{.reason = std::move(reason), .message = std::move(message), .status = status});
}

std::unexpected<Decline> bad_value(std::string reason) {
    return std::unexpected(Decline{.reason = std::move(reason), .bad_value = true});
}

Decline with_complaint(Decline decline, std::string_view word, const char* text) {
    if (text == nullptr || !decline.bad_value || !decline.message.empty()) return decline;
    decline.message = fmt::format("Error: argument \"{}\" is wrong: {}\n", word, text);
    decline.status = 255;
    return decline;
}

Decline unexplained(Decline decline) {
    return {.reason = std::move(decline.reason)};
}

std::unexpected<Decline> garbage(std::string_view keyword, std::string_view word) {
    return refused(
        fmt::format("Error: either \"{}\" is duplicate, or \"{}\" is a garbage.\n", keyword, word));
}

std::unexpected<Decline> duplicate(std::string_view keyword, std::string_view word) {
    return refused(
        fmt::format("Error: duplicate \"{}\": \"{}\" is the second value.\n", keyword, word));
}

bool is_plain_value(std::string_view word) {
    return !word.empty() && word.find_first_of(std::string_view("+- \t\n\v\f\r\0", 9)) == word.npos;
}

std::unexpected<Decline> unreadable(std::string_view word, std::string reason) {
    return is_plain_value(word) ? bad_value(std::move(reason)) : declined(std::move(reason));
}

bool may_look_up(Words words) {
    constexpr std::string_view keywords[] = {"master", "vrf", "netns"};
    if (words.empty()) return false;
    // The last word has no value that could be looked up.
    return std::ranges::any_of(words.first(words.size() - 1), [&](const std::string& word) {
        if (word.starts_with("link-netns")) return true;
        return std::ranges::any_of(keywords, [&](auto keyword) { return matches(word, keyword); });
    });
}

}  // namespace nlsh
