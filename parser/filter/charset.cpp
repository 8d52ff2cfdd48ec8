// Which filters handle characters, and which only bytes.
#include <algorithm>
#include <string_view>
#include <variant>

#include "parser/filter/filter.h"

namespace nlsh {
namespace {

constexpr std::string_view escapable = ".[]*^$+?(){}|/";  // plain characters behind a backslash

// Whether the locale's characters matter: `.` and `[^x]` match a character but no invalid bytes,
// and classes and cases depend on the character set. ASCII characters are the same bytes
// everywhere.
bool sees_characters(const Pattern& pattern) {
    const std::string_view text = pattern.text;
    if (pattern.perl) return true;
    if (pattern.ignore_case || std::ranges::any_of(text, [](char c) { return (c & 0x80) != 0; }))
        return true;
    if (pattern.fixed) return false;
    for (size_t i = 0; i < text.size(); i++) {
        const char next = i + 1 < text.size() ? text[i + 1] : 0;
        if (text[i] == '\\' && !escapable.contains(next)) return true;
        if (text[i] == '[' && (next == '^' || next == ':')) return true;
        if (text[i] == '.') return true;
        if (text[i] == '\\') i++;
    }
    return false;
}

// grep doesn't print a line with invalid characters, but "binary file matches".
bool sees_characters(const Grep& grep) {
    return !(grep.quiet || grep.count) || grep.whole_word ||
           std::ranges::any_of(grep.patterns, [](const Pattern& p) { return sees_characters(p); });
}

bool sees_characters(const Sed& sed) {
    return std::ranges::any_of(sed.commands, [](const SedCommand& command) {
        return (command.address.kind == SedAddress::Kind::pattern &&
                sees_characters(command.address.pattern)) ||
               (command.kind == SedCommand::Kind::substitute && sees_characters(command.pattern));
    });
}

bool sees_characters(const Awk& awk) {
    const auto tests = [](const Awk::Test& test) {
        return test.pattern && sees_characters(*test.pattern);
    };
    return (awk.separator_pattern && sees_characters(*awk.separator_pattern)) ||
           std::ranges::any_of(awk.rules, [&](const Awk::Rule& rule) {
               return std::ranges::any_of(
                   rule.any, [&](const auto& all) { return std::ranges::any_of(all, tests); });
           });
}

bool sees_characters(const Wc& wc) {
    return wc.words;
}

// GNU's cut, tr, head, tail and cat handle bytes. C.UTF-8 sorts by bytes.
template <typename BytesOnly>
bool sees_characters(const BytesOnly&) {
    return false;
}

}  // namespace

bool depends_on_charset(const Filter& filter) {
    return std::visit([](const auto& each) { return sees_characters(each); }, filter);
}

}  // namespace nlsh
