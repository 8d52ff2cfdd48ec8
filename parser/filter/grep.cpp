// grep [-qovciwxnhHsEFGPe] [-m N] PATTERN, on standard input.
#include <array>
#include <string_view>

#include "parser/filter/filter.h"
#include "parser/filter/options.h"
#include "parser/filter/perl.h"
#include "parser/filter/regex.h"
#include "parser/try.h"

namespace nlsh {
namespace {

constexpr std::array<OptionSpec, 19> specs = {{
    {'q', "quiet"},
    {'q', "silent"},
    {'o', "only-matching"},
    {'v', "invert-match"},
    {'c', "count"},
    {'i', "ignore-case"},
    {'w', "word-regexp"},
    {'x', "line-regexp"},
    {'n', "line-number"},
    {'h', "no-filename"},
    {'H', "with-filename"},
    {'s', "no-messages"},
    {'E', "extended-regexp"},
    {'F', "fixed-strings"},
    {'G', "basic-regexp"},
    {'P', "perl-regexp"},
    {'e', "regexp", true},
    {'m', "max-count", true},
    {'y', ""},
}};

// -h and -H: the last one counts.
constexpr SwitchRow<Grep> switches[] = {
    {'q', &Grep::quiet},        {'o', &Grep::only_matching},        {'v', &Grep::invert},
    {'c', &Grep::count},        {'w', &Grep::whole_word},           {'x', &Grep::whole_line},
    {'n', &Grep::line_numbers}, {'h', &Grep::with_filename, false}, {'H', &Grep::with_filename},
};

enum class Matcher : uint8_t { basic, extended, fixed, perl };
// By Matcher.
constexpr std::string_view matcher_letters = "GEFP";

Parsed<Pattern> make_pattern(const std::string& text, Matcher matcher, bool ignore_case) {
    // A newline separates several patterns.
    if (text.find('\n') != std::string::npos) return declined("pattern: newline");
    if (matcher == Matcher::perl) return parse_perl(text, ignore_case);
    if (matcher != Matcher::fixed)
        return vet_regex(text, matcher == Matcher::extended, ignore_case, RegexUser::grep);
    for (char c : text) {
        if (static_cast<unsigned char>(c) >= 0x80) return declined("pattern: byte");
    }
    return Pattern{text, false, ignore_case, true, 0};
}

// Reads the options, without the patterns.
Parsed<Grep> read_options(const ScannedOptions& scanned, Matcher& matcher, bool& ignore_case,
                          std::vector<std::string>& texts) {
    Grep grep;
    // egrep and fgrep have printed their warning already.
    int matchers = matcher == Matcher::basic ? 0 : 1;
    set_switches(grep, scanned, switches);
    for (const auto& [letter, value] : scanned.options) {
        if (letter == 'y') return declined("option -y");  // warns
        if (letter == 'i') ignore_case = true;
        if (letter == 'e') texts.push_back(value);
        if (letter == 'm') {
            grep.limit = parse_count(value).value_or(0);
            if (*grep.limit == 0) return declined("option -m");
        }
        if (const size_t place = matcher_letters.find(letter); place != matcher_letters.npos) {
            matcher = static_cast<Matcher>(place);
            matchers++;
        }
    }
    if (matchers > 1) return declined("conflicting matchers");
    return grep;
}

// Plain characters and dots, escaped or not.
bool has_fixed_length(std::string_view text) {
    for (size_t at = 0; at < text.size(); at++) {
        const char c = text[at];
        const bool dot = c == '\\' && text.substr(at + 1).starts_with('.');
        if (std::string_view("\\*[]^$+?{}|()").contains(c) && !dot) return false;
        at += dot ? 1 : 0;
    }
    return true;
}

Parsed<Filter> parse_grep_as(Words arguments, Matcher matcher) {
    auto scanned = TRY(scan_options(arguments, specs));
    bool ignore_case = false;
    std::vector<std::string> texts;
    auto grep = TRY(read_options(scanned, matcher, ignore_case, texts));
    auto operands = scanned.operands;
    if (texts.empty()) {
        if (operands.empty()) return declined("no pattern");
        texts.push_back(operands.front());
        operands.erase(operands.begin());
    }
    if (!operands.empty() && !(operands.size() == 1 && operands[0] == "-"))
        return declined("files");
    for (const auto& text : texts) {
        auto pattern = TRY(make_pattern(text, matcher, ignore_case));
        // grep shortens a match until it is a word. Only matches of fixed length can't be
        // shortened.
        if (grep.whole_word && !pattern.fixed && !has_fixed_length(text))
            return declined("-w with a regular expression");
        if (grep.whole_word && text.empty()) return declined("-w with an empty pattern");
        if (pattern.perl && (grep.whole_word || grep.whole_line || texts.size() > 1))
            return declined("-P with -w, -x or several patterns");
        // grep exits at once here, without a count.
        if (grep.invert && text.empty()) return declined("-v with an empty pattern");
        grep.patterns.push_back(pattern);
    }
    if (grep.whole_word && grep.whole_line) grep.whole_word = false;
    if (texts.size() > 1 && (grep.only_matching || grep.whole_word))
        return declined("-o with several patterns");
    return grep;
}

}  // namespace

Parsed<Filter> parse_grep(Words arguments) {
    return parse_grep_as(arguments, Matcher::basic);
}

// Debian's egrep and fgrep print no warning that they are obsolescent.
Parsed<Filter> parse_egrep(Words arguments) {
    return parse_grep_as(arguments, Matcher::extended);
}
Parsed<Filter> parse_fgrep(Words arguments) {
    return parse_grep_as(arguments, Matcher::fixed);
}

}  // namespace nlsh
