#include "shim/cli/options.h"

#include <fmt/format.h>
#include <getopt.h>

#include <charconv>
#include <cstdlib>
#include <expected>
#include <type_traits>

#include "parser/try.h"
#include "shim/cli/help.h"
#include "shim/log/message.h"
#include "shim/process/quote.h"

namespace nlsh {
namespace {

using Complaint = std::string;
using Checked = std::expected<void, Complaint>;
using Begins = ProgramWords::Begins;

constexpr int word = 1;          // getopt_long's result for a word that isn't an option
constexpr int first_row = 1000;  // results of options; letters are smaller

bool takes_value(const Option& option) {
    return !std::holds_alternative<bool*>(option.field);
}

std::string shown(const Option& option) {
    return *option.name != 0 ? fmt::format("--{}", option.name) : fmt::format("-{}", option.letter);
}

template <class Number>
Checked set_number(const Option& option, Number& field, std::string_view text) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool read = error == std::errc() && end == text.data() + text.size();
    if (!read || !(static_cast<double>(number) >= option.least) ||
        !(static_cast<double>(number) <= option.most))
        return std::unexpected(
            fmt::format("{}: {} isn't {} to {}", shown(option), text, option.least, option.most));
    field = number;
    return {};
}

Checked set(const Option& option, std::string_view text) {
    const auto put = [&](auto field) -> Checked {
        using Value = std::remove_pointer_t<decltype(field)>;
        if constexpr (std::is_same_v<Value, bool>) {
            *field = true;
        } else if constexpr (std::is_arithmetic_v<Value>) {
            return set_number(option, *field, text);
        } else if constexpr (std::is_same_v<Value, std::optional<double>>) {
            return set_number(option, field->emplace(), text);
        } else if constexpr (std::is_same_v<Value, GivenWords>) {
            field->emplace_back(text);
        } else if constexpr (!std::is_same_v<Value, std::monostate>) {
            *field = std::string(text);
        }
        return {};
    };
    return std::visit(put, option.field);
}

// Reads an argv, and keeps its words in place, as getopt_long needs.
class Reading {
  public:
    Reading(const CommandLine& line, const GivenWords& words);
    Checked run();
    bool help() const { return help_; }

  private:
    Checked take(int found);
    Checked take_word(const std::string& text);
    Checked take_rest();
    Checked settle() const;
    bool given(std::string_view name) const;
    std::string unexpected_option(int found) const;

    const CommandLine& line_;
    std::vector<char*> argv_;
    std::string letters_;
    std::vector<option> names_;
    std::vector<bool> given_;
    bool operand_given_ = false;
    bool help_ = false;
};

Reading::Reading(const CommandLine& line, const GivenWords& words)
    : line_(line),
      argv_{const_cast<char*>("nlsh")},
      // Ignore POSIXLY_CORRECT: `+` ends the options at the first word, `-` reports words in place.
      letters_(line.program.begins == Begins::after_options ? "+:h" : "-:h"),
      names_{{"help", no_argument, nullptr, 'h'}},
      given_(line.options.size()) {
    for (const std::string& each : words)
        argv_.push_back(const_cast<char*>(each.c_str()));
    argv_.push_back(nullptr);
    for (size_t i = 0; i < line.options.size(); ++i) {
        const Option& row = line.options[i];
        const bool value = takes_value(row);
        if (row.letter != 0) letters_ += row.letter;
        if (row.letter != 0 && value) letters_ += ':';
        if (*row.name != 0)
            names_.push_back({row.name, value ? required_argument : no_argument, nullptr,
                              first_row + static_cast<int>(i)});
    }
    names_.push_back({});
}

Checked Reading::run() {
    optind = 0;  // restart, as getopt(3) says
    opterr = 0;
    const int count = static_cast<int>(argv_.size()) - 1;
    for (int found = 0; !help_;) {
        found = getopt_long(count, argv_.data(), letters_.c_str(), names_.data(), nullptr);
        if (found == -1) break;
        TRY(take(found));
    }
    if (help_) return {};
    TRY(take_rest());
    return settle();
}

Checked Reading::take(int found) {
    if (found == 'h') {
        help_ = true;
        return {};
    }
    if (found == word) return take_word(optarg);
    if (found == '?' || found == ':') return std::unexpected(unexpected_option(found));
    for (size_t i = 0; i < line_.options.size(); ++i) {
        const Option& row = line_.options[i];
        if (found != row.letter && found != first_row + static_cast<int>(i)) continue;
        const bool again = given_[i] && takes_value(row);
        if (again && !std::holds_alternative<GivenWords*>(row.field))
            return std::unexpected(shown(row) + " is given twice");
        given_[i] = true;
        return set(row, optarg == nullptr ? "" : optarg);
    }
    return {};
}

// optopt is the wrong option, or 0 for an unknown name.
std::string Reading::unexpected_option(int found) const {
    const char* last = argv_[static_cast<size_t>(optind) - 1];
    if (found == ':') return fmt::format("{} takes a value", last);
    if (optopt >= first_row)
        return shown(line_.options[static_cast<size_t>(optopt - first_row)]) + " takes no value";
    if (optopt == 'h') return "--help takes no value";
    return optopt == 0 ? fmt::format("not expected: {}", last)
                       : fmt::format("not expected: -{}", static_cast<char>(optopt));
}

Checked Reading::take_word(const std::string& text) {
    const Operand& operand = line_.operand;
    const bool several = std::holds_alternative<GivenWords*>(operand.field);
    if (*operand.name == 0 || (operand_given_ && !several))
        return std::unexpected(fmt::format("not expected: {}", text));
    operand_given_ = true;
    if (operand.whole == nullptr || argv_[static_cast<size_t>(optind)] == nullptr ||
        operand.whole(text))
        return set({.field = operand.field}, text);
    std::string joined = text;
    for (; argv_[static_cast<size_t>(optind)] != nullptr; ++optind)
        joined += ' ' + shell_quoted(argv_[static_cast<size_t>(optind)]);
    return set({.field = operand.field}, joined);
}

// Takes the words that getopt_long leaves: after `--`, or a program's.
Checked Reading::take_rest() {
    const bool program = line_.program.begins != Begins::never;
    const bool dashed = std::string_view(argv_[static_cast<size_t>(optind) - 1]) == "--";
    for (; argv_[static_cast<size_t>(optind)] != nullptr;) {
        const char* text = argv_[static_cast<size_t>(optind++)];
        if (program && (dashed || line_.program.begins == Begins::after_options)) {
            line_.program.words->emplace_back(text);
        } else {
            TRY(take_word(text));
        }
    }
    return {};
}

bool Reading::given(std::string_view name) const {
    for (size_t i = 0; i < line_.options.size(); ++i) {
        if (given_[i] && line_.options[i].name == name) return true;
    }
    return false;
}

Checked Reading::settle() const {
    for (size_t i = 0; i < line_.options.size(); ++i) {
        const Option& row = line_.options[i];
        if (given_[i] && *row.excludes != 0 && given(row.excludes))
            return std::unexpected(fmt::format("{} excludes --{}", shown(row), row.excludes));
        const char* value = *row.variable == 0 ? nullptr : getenv(row.variable);
        if (given_[i] || value == nullptr || *value == 0) continue;
        TRY(set(row, value));
    }
    return {};
}

}  // namespace

int complain_of_usage(const std::string& text, std::string_view verb) {
    return fail(2, "nlsh: {}\nnlsh: `nlsh {}{}--help` lists its options\n", text, verb,
                verb.empty() ? "" : " ");
}

int complain_of_no_program(std::string_view usage) {
    return fail(2, "nlsh: no program: nlsh {}\n", usage);
}

std::optional<int> read_arguments(const Subcommand& verb, const CommandLine& line,
                                  const GivenWords& words) {
    const bool asks = !words.empty() && (words[0] == "-h" || words[0] == "--help");
    if (line.program.begins == Begins::at_once && !asks) {
        const bool dashes = !words.empty() && words[0] == "--";
        line.program.words->assign(words.begin() + (dashes ? 1 : 0), words.end());
        return {};
    }
    Reading reading(line, words);
    if (const auto read = reading.run(); !read) return complain_of_usage(read.error(), verb.name);
    if (!reading.help()) return {};
    return print(help_of(verb, line));
}

}  // namespace nlsh
