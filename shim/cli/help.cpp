#include "shim/cli/help.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

namespace nlsh {
namespace {

constexpr size_t columns = 80;
constexpr size_t widest = 22;  // a name beside its text; a longer name is on a line above

// "(default …, 4 to 4096, NLSH_SOCKET)", or nothing.
std::string remarks(const Option& option) {
    std::string text;
    const auto add = [&text](const std::string& remark) {
        text += (text.empty() ? " (" : "; ") + remark;
    };
    const bool limited = option.most < Option().most;
    const auto default_of = [&](auto field) {
        using Value = std::remove_pointer_t<decltype(field)>;
        if constexpr (std::is_same_v<Value, std::string>) {
            if (!field->empty()) add("default " + *field);
        } else if constexpr (std::is_arithmetic_v<Value> && !std::is_same_v<Value, bool>) {
            if (limited) add(fmt::format("{} to {}", option.least, option.most));
            if (*field != 0) add(fmt::format("default {}", *field));
        }
    };
    std::visit(default_of, option.field);
    if (*option.variable != 0) add(fmt::format("or by {}", option.variable));
    if (*option.excludes != 0) add(fmt::format("not with --{}", option.excludes));
    return text.empty() ? text : text + ")";
}

HelpRow row_of(const Option& option) {
    std::string name = option.letter == 0 ? "" : fmt::format("-{}", option.letter);
    if (*option.name != 0) name += fmt::format("{}--{}", name.empty() ? "" : ",", option.name);
    if (*option.value != 0) name += fmt::format(" {}", option.value);
    return {std::move(name), option.help + remarks(option)};
}

// The number of columns: counts only first bytes of UTF-8 characters.
size_t width(std::string_view text) {
    return static_cast<size_t>(
        std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string broken(std::string_view text, size_t indent) {
    std::string lines;
    size_t at = indent;
    while (!text.empty()) {
        const size_t end = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (at > indent && at + 1 + width(word) >= columns) {
            lines += '\n' + std::string(indent, ' ');
            at = indent;
        }
        if (at > indent) lines += ' ', ++at;
        lines += word;
        at += width(word);
    }
    return lines;
}

std::string usage_of(const Subcommand& verb, const CommandLine& line) {
    using enum ProgramWords::Begins;
    std::string usage = "Usage: nlsh";
    if (!verb.name.empty()) usage += fmt::format(" {}", verb.name);
    if (!line.options.empty()) usage += " [OPTION…]";
    if (*line.operand.name != 0) usage += fmt::format(" {}", line.operand.name);
    if (line.program.begins == at_once) usage += " [--]";
    if (line.program.begins == after_dashes) usage += " --";
    if (line.program.begins != never) usage += " PROGRAM [ARGUMENT…]";
    return usage;
}

// The operand's bare name, without brackets and dots.
std::string bare(std::string_view name) {
    const size_t first = name.find_first_not_of('[');
    return std::string(name.substr(first, name.find_first_of("]\xe2", first) - first));
}

}  // namespace

std::string help_rows(const std::vector<HelpRow>& rows) {
    size_t wide = 0;
    for (const HelpRow& row : rows)
        wide = std::max(wide, std::min(width(row.name), widest));
    std::string text;
    for (const HelpRow& row : rows) {
        const size_t beside = width(row.name) <= wide ? wide - width(row.name) + 2 : 0;
        text += "  " + row.name;
        text += beside > 0 ? std::string(beside, ' ') : '\n' + std::string(wide + 4, ' ');
        text += broken(row.text, wide + 4) + '\n';
    }
    return text;
}

std::string help_of(const Subcommand& verb, const CommandLine& line) {
    std::string text = fmt::format("{}\n{}\n", usage_of(verb, line), verb.about);
    std::vector<HelpRow> words;
    if (*line.operand.name != 0) words.push_back({bare(line.operand.name), line.operand.help});
    if (*line.program.help != 0) words.push_back({"PROGRAM", line.program.help});
    if (!words.empty()) text += '\n' + help_rows(words);
    std::vector<HelpRow> options{{"-h,--help", "Print this"}};
    for (const Option& option : line.options)
        options.push_back(row_of(option));
    return text + "\nOptions:\n" + help_rows(options) + line.after;
}

}  // namespace nlsh
