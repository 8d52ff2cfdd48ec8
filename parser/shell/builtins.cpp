// Declines uses of builtins that nlsh doesn't imitate: unknown options and operators, bad values.
#include <algorithm>
#include <array>

#include "parser/shell/grammar.h"

namespace nlsh {
namespace {

using Text = std::optional<std::string>;  // nothing: known only when it runs

constexpr std::array<std::string_view, 5> unary = {"-n", "-z", "-f", "-e", "-d"};
constexpr std::array<std::string_view, 8> binary = {"=",   "!=",  "-eq", "-ne",
                                                    "-lt", "-le", "-gt", "-ge"};

template <size_t N>
bool is_one_of(const Text& word, const std::array<std::string_view, N>& words) {
    return word && std::ranges::find(words, *word) != words.end();
}

Parsed<bool> check_test(std::span<const Text> words, Flavour flavour,
                        const ProgramEnvironment& environment) {
    if (!words.empty() && words[0] == "!") words = words.subspan(1);
    if (words.size() <= 1) return true;
    if (words.size() == 2) {
        if (!is_one_of(words[0], unary)) return declined("test: operator");
        bool file = *words[0] != "-n" && *words[0] != "-z";
        if (file && !(words[1] && environment.writable(*words[1]))) return declined("test: file");
        return true;
    }
    if (words.size() != 3) return declined("test: expression");
    bool equal = is_one_of(words[1], binary) || (flavour == Flavour::bash && words[1] == "==");
    if (!equal) return declined("test: operator");
    // dash reads "( x )" and "! -f x" differently: an operator in the first place keeps its
    // meaning.
    if (words[0] == "(" || words[0] == "!" || is_one_of(words[0], unary))
        return declined("test: expression");
    return true;
}

Parsed<bool> check_exit(std::span<const Text> words) {
    if (words.empty()) return true;
    if (words.size() > 1) return declined("exit: operands");
    if (!words[0]) return true;
    const std::string& text = *words[0];
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    // A number that fits, or a word of letters alone: shells differ about signs and blanks.
    const bool number = text.size() <= 9 && std::ranges::all_of(text, is_digit);
    if (text.empty() || (!number && !std::ranges::all_of(text, is_letter)))
        return declined("exit: status");
    return true;
}

// Checks the words that a format with these conversions ("sd") takes as numbers. False: a word is
// known only when the line runs.
Parsed<bool> check_numbers(std::string_view conversions, std::span<const Text> words) {
    if (conversions.find('d') == std::string_view::npos) return true;
    // An expansion may become several words.
    if (!std::ranges::all_of(words, &Text::has_value)) return false;
    for (size_t i = 0; i < words.size(); i++) {
        if (conversions[i % conversions.size()] == 'd' && !is_printf_number(*words[i]))
            return declined("printf: no number");
    }
    return true;
}

// %s %d %% and a few escapes. dash leaves \" as it is.
Parsed<bool> check_printf(std::span<const Text> words, Flavour flavour) {
    if (words.empty() || !words[0]) return declined("printf: format");
    const std::string& format = *words[0];
    if (format.starts_with("-")) return declined("printf: option");
    std::string conversions;
    for (size_t i = 0; i < format.size(); i++) {
        if (format[i] != '%' && format[i] != '\\') continue;
        const std::string_view escapes = flavour == Flavour::dash ? "nt\\" : "nt\\\"";
        const std::string_view known = format[i] == '%' ? "sd%" : escapes;
        i++;
        if (i == format.size() || known.find(format[i]) == std::string_view::npos)
            return declined("printf: format");
        if (format[i] == 's' || format[i] == 'd') conversions += format[i];
    }
    return check_numbers(conversions, words.subspan(1));
}

constexpr std::array<std::string_view, 2> lone_options = {"--help", "--version"};

// False: a word is known only when the line runs, and might then be an option or an escape that
// nlsh doesn't imitate.
Parsed<bool> check_echo(std::span<const Text> words, const Builtin& builtin) {
    const bool known = std::ranges::all_of(words, &Text::has_value);
    if (builtin.flavour == Flavour::program) {
        if (!known) return false;  // only an option may remain after expansion
        if (words.size() == 1 && is_one_of(words[0], lone_options)) return declined("echo: option");
    }
    if (builtin.flavour != Flavour::bash || builtin.charset != Charset::unknown) return true;
    return known && std::ranges::none_of(words, [](const Text& word) {
               return word->find("\\u") != word->npos || word->find("\\U") != word->npos;
           });
}

bool writes_file(const Simple& simple) {
    return std::ranges::any_of(simple.redirections, &Redirection::writes_file);
}

}  // namespace

bool is_printf_number(std::string_view text) {
    if (text.starts_with('-')) text.remove_prefix(1);
    return !text.empty() && text.size() <= 18 && (text == "0" || text[0] != '0') &&
           std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

Parsed<bool> check_builtin(const Simple& simple, const Builtin& builtin,
                           const ProgramEnvironment& environment) {
    std::vector<Text> texts;
    for (size_t i = 1; i < simple.words.size(); i++)
        texts.push_back(simple.words[i].literal());
    std::span<const Text> words(texts);
    switch (builtin.kind) {
        case BuiltinKind::colon:
            // dash exits if a redirection of a special builtin fails.
            if (writes_file(simple)) return declined(": with a redirection");
            return true;
        case BuiltinKind::true_:
        case BuiltinKind::false_:
            if (builtin.flavour == Flavour::program && !words.empty())
                return declined("true: operands");
            return true;
        case BuiltinKind::set:
            if (writes_file(simple)) return declined("set with a redirection");
            if (words.empty() || words[0] != "--") return declined("set: options");
            return true;
        case BuiltinKind::exit:
            if (writes_file(simple)) return declined("exit with a redirection");
            return check_exit(words);
        case BuiltinKind::echo:
            return check_echo(words, builtin);
        case BuiltinKind::printf:
            return check_printf(words, builtin.flavour);
        case BuiltinKind::test:
            if (builtin.bracket) {
                if (words.empty() || words.back() != "]") return declined("test: no ]");
                words = words.first(words.size() - 1);
            }
            return check_test(words, builtin.flavour, environment);
    }
    return declined("builtin");
}

}  // namespace nlsh
