// awk [-F TEXT] [-v NAME=VALUE]… PROGRAM, on standard input.
#include "parser/filter/awk_program.h"
#include "parser/filter/filter.h"
#include "parser/filter/regex.h"
#include "parser/try.h"

namespace nlsh {
namespace {

Parsed<void> set_separator(Awk& awk, std::string value) {
    if (value == "\\t") value = "\t";
    // None of these characters is special in a regular expression.
    const bool plain = value.find_first_not_of("\t :,;=/@-_%#!\"'&~<>") == value.npos;
    if (value.empty()) return declined("separator");
    awk.separator = value == " " ? "" : plain || value == "." || value == "|" ? value : "";
    awk.separator_pattern.reset();
    if (value == " " || !awk.separator.empty()) return {};
    // awk treats a single character specially.
    if (value.size() == 1 || value.contains('^') || value.contains('\\'))
        return declined("separator");
    auto pattern = TRY(vet_regex(value, true, false, RegexUser::awk));
    // The pattern might match the empty string.
    if (!value.starts_with('[') || value.find_first_of("*?|(){$") != value.npos)
        return declined("separator");
    awk.separator_pattern = std::move(pattern);
    return {};
}

Parsed<void> set_variable(AwkVariables& variables, std::string_view text) {
    const size_t equals = text.find('=');
    if (equals == text.npos || !is_awk_variable(text.substr(0, equals)))
        return declined("-v: variable");
    const std::string_view value = text.substr(equals + 1);
    for (const char c : value)
        if (c == '\\' || c == '\n' || static_cast<unsigned char>(c) >= 0x80)
            return declined("-v: value");
    variables.insert_or_assign(std::string(text.substr(0, equals)), std::string(value));
    return {};
}

}  // namespace

Parsed<Filter> parse_awk(Words arguments) {
    Awk awk;
    AwkVariables variables;
    size_t next = 0;
    while (next < arguments.size() && arguments[next].size() > 1 && arguments[next][0] == '-') {
        const char letter = arguments[next][1];
        if (letter != 'F' && letter != 'v') return declined("option");
        std::string value = arguments[next++].substr(2);
        if (value.empty()) {
            if (next == arguments.size()) return declined("option without a value");
            value = arguments[next++];
        }
        TRY(letter == 'F' ? set_separator(awk, std::move(value)) : set_variable(variables, value));
    }
    if (next + 1 != arguments.size() || arguments[next].starts_with("-"))
        return declined("operands");
    auto rules = TRY(parse_awk_program(arguments[next], variables));
    awk.rules = std::move(rules);
    return awk;
}

}  // namespace nlsh
