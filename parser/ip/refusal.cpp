#include "parser/ip/refusal.h"
#include "parser/ip/traits/trait_names.h"

#include <fmt/format.h>
#include <sys/socket.h>

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

Decline with_expectation(Decline decline, std::string_view what, std::string_view word,
                         uint8_t family) {
    // An abbreviation of "help" may ask for the usage text.
    if (!decline.bad_value || !is_plain_value(word) || matches(word, "help")) {
        return unexplained(std::move(decline));
    }
    const std::string_view name = family == AF_INET     ? "inet"
                                  : family == AF_INET6  ? "inet6"
                                  : family == AF_MPLS   ? "mpls"
                                  : family == AF_UNSPEC ? "any valid"
                                                        : "";
    if (name.empty()) return unexplained(std::move(decline));
    decline.message =
        fmt::format("Error: {} {} is expected rather than \"{}\".\n", name, what, word);
    decline.status = 1;
    return decline;
}

Decline without_sign(Decline decline, std::string_view word) {
    const bool negative = word.size() > 1 && word.starts_with('-') &&
                          word.find_first_not_of("0123456789", 1) == word.npos &&
                          word.find_first_not_of('0', 1) != word.npos;
    // Only longer negative numbers can wrap into the range.
    if (negative && word.size() < 10) decline.bad_value = true;
    return decline;
}

Decline unexplained(Decline decline) {
    return {.reason = std::move(decline.reason)};
}

std::unexpected<Decline> refused_before(Trait newer, Traits traits, std::string message,
                                        int status) {
    if (!traits.lacks(newer)) return declined(unknown_trait(traits, newer));
    return refused(std::move(message), status);
}

std::unexpected<Decline> garbage(Traits traits, std::string_view keyword, std::string_view word) {
    const bool article = traits.lacks(Trait::garbage_without_article);
    if (!article && !traits.has(Trait::garbage_without_article)) {
        return declined(unknown_trait(traits, Trait::garbage_without_article));
    }
    return refused(fmt::format("Error: either \"{}\" is duplicate, or \"{}\" is {}garbage.\n",
                               keyword, word, article ? "a " : ""));
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
