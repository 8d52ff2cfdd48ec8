// Parts of texts.
#pragma once

#include <algorithm>
#include <charconv>
#include <ranges>
#include <string_view>
#include <system_error>
#include <vector>

namespace nlsh {

// The part of a path after the last slash.
inline std::string_view base_name(std::string_view path) {
    return path.substr(path.rfind('/') + 1);
}

// The parts between separators, without empty ones.
inline std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        const size_t end = std::min(text.find(separator), text.size());
        if (end > 0) parts.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

// The same with the empty parts, as of a table's line.
inline std::vector<std::string_view> fields_of(std::string_view text, char separator) {
    std::vector<std::string_view> fields;
    for (const auto field : std::views::split(text, separator))
        fields.emplace_back(field);
    return fields;
}

// Removes the first line from the text, and returns it.
inline std::string_view take_line(std::string_view& text) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    return line;
}
// The same for the first word, which a blank or a tab ends. Empty: the text has ended.
inline std::string_view take_word(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    const std::string_view word = text.substr(0, text.find_first_of(" \t"));
    text.remove_prefix(word.size());
    return word;
}

// Bytes that a shell takes literally, anywhere in a word.
inline constexpr std::string_view plain_bytes =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,@%+";
inline bool is_plain_word(std::string_view text) {
    return !text.empty() && text.find_first_not_of(plain_bytes) == text.npos;
}

// Whether the whole text is a number that fits.
template <typename Number>
bool read_number(std::string_view text, Number& number, int base = 10) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    return error == std::errc() && end == text.data() + text.size();
}

}  // namespace nlsh
