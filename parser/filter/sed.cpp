// sed [-nEr] [-e] SCRIPT: s, p, d and q, each with one address at most.
#include <array>

#include "parser/filter/filter.h"
#include "parser/filter/options.h"
#include "parser/filter/regex.h"
#include "parser/try.h"

namespace nlsh {
namespace {

constexpr std::array<OptionSpec, 6> specs = {{
    {'n', "quiet"},
    {'n', "silent"},
    {'E', "regexp-extended"},
    {'r', ""},
    {'e', "expression", true},
    {'s', "separate"},
}};

class Script {
  public:
    Script(std::string_view text, bool extended) : text_(text), extended_(extended) {}
    Parsed<std::vector<SedCommand>> parse();

  private:
    Parsed<SedCommand> command();
    Parsed<SedAddress> address();
    Parsed<bool> substitution(SedCommand& command);
    Parsed<bool> flags(SedCommand& command, bool& ignore_case);
    Parsed<bool> replacement(std::string_view text, SedCommand& command);
    // Reads up to the next `delimiter`; `\delimiter` stands for the delimiter itself.
    Parsed<std::string> delimited(char delimiter, bool pattern);

    bool at_end() const { return at_ == text_.size(); }
    char peek() const { return at_end() ? '\0' : text_[at_]; }
    void skip_blanks() {
        while (peek() == ' ' || peek() == '\t')
            at_++;
    }

    std::string_view text_;
    bool extended_;
    size_t at_ = 0;
};

Parsed<std::string> Script::delimited(char delimiter, bool pattern) {
    std::string result;
    while (!at_end() && text_[at_] != delimiter) {
        char c = text_[at_++];
        if (c == '\n') return declined("newline in a pattern or replacement");
        if (c != '\\') {
            result += c;
            continue;
        }
        if (at_end()) return declined("unterminated command");
        char next = text_[at_++];
        if (next != delimiter || (!pattern && next == '&')) result += '\\';
        result += next;
    }
    if (at_end()) return declined("unterminated command");
    at_++;
    return result;
}

Parsed<SedAddress> Script::address() {
    SedAddress result;
    if (peek() == '$') {
        at_++;
        result.kind = SedAddress::Kind::last;
    } else if (peek() >= '0' && peek() <= '9') {
        size_t from = at_;
        while (peek() >= '0' && peek() <= '9')
            at_++;
        auto line = parse_count(text_.substr(from, at_ - from));
        if (!line || *line == 0) return declined("line number");
        result.kind = SedAddress::Kind::line;
        result.line = *line;
    } else if (peek() == '/') {
        at_++;
        auto text = TRY(delimited('/', true));
        if (text.empty()) return declined("empty pattern");
        bool ignore_case = peek() == 'I';
        if (ignore_case) at_++;
        auto pattern = vet_regex(text, extended_, ignore_case, RegexUser::sed);
        if (!pattern) return std::unexpected(pattern.error());
        result.kind = SedAddress::Kind::pattern;
        result.pattern = *pattern;
    }
    return result;
}

Parsed<bool> Script::replacement(std::string_view text, SedCommand& command) {
    std::string literal;
    auto group = [&](int number) {
        if (!literal.empty()) command.replacement.emplace_back(std::move(literal));
        literal.clear();
        command.replacement.emplace_back(number);
    };
    for (size_t i = 0; i < text.size(); i++) {
        if (text[i] == '&') {
            group(0);
        } else if (text[i] != '\\') {
            literal += text[i];
        } else {
            char c = text[++i];
            if (c >= '1' && c <= '9') {
                if (c - '0' > command.pattern.groups) return declined("reference to no group");
                group(c - '0');
            } else if (c == 'n') {
                literal += '\n';
            } else if (c == 't') {
                literal += '\t';
            } else if (std::string_view(R"(\&/.$^*[]"' -:,;)").find(c) != std::string_view::npos) {
                literal += c;
            } else {
                return declined("escape in a replacement");
            }
        }
    }
    if (!literal.empty()) command.replacement.emplace_back(std::move(literal));
    return true;
}

Parsed<bool> Script::flags(SedCommand& command, bool& ignore_case) {
    bool counted = false;
    while (!at_end() && text_[at_] != ';' && text_[at_] != '\n' && text_[at_] != ' ') {
        char c = text_[at_];
        if (c == 'g' && !command.global) {
            command.global = true;
        } else if (c == 'p' && !command.print_after) {
            command.print_after = true;
        } else if ((c == 'I' || c == 'i') && !ignore_case) {
            ignore_case = true;
        } else if (c >= '1' && c <= '9' && !counted) {
            command.occurrence = static_cast<uint64_t>(c - '0');
            counted = true;
        } else {
            return declined("flag of s");
        }
        at_++;
    }
    return true;
}

Parsed<bool> Script::substitution(SedCommand& command) {
    command.kind = SedCommand::Kind::substitute;
    char delimiter = peek();
    if (std::string_view("/,:#@%!|;=~_").find(delimiter) == std::string_view::npos ||
        delimiter == '\0')
        return declined("delimiter of s");
    at_++;
    size_t from = at_;
    auto text = TRY(delimited(delimiter, true));
    std::string escaped = std::string("\\") + delimiter;
    if (delimiter == '|' && text_.substr(from, at_ - from).find(escaped) != std::string_view::npos)
        return declined("escaped | as the delimiter of s");
    if (text.empty()) return declined("empty pattern");
    auto by = TRY(delimited(delimiter, false));
    bool ignore_case = false;
    if (auto ok = flags(command, ignore_case); !ok) return ok;
    auto pattern = TRY(vet_regex(text, extended_, ignore_case, RegexUser::sed));
    command.pattern = pattern;
    return replacement(by, command);
}

Parsed<SedCommand> Script::command() {
    SedCommand result;
    auto where = TRY(address());
    result.address = where;
    skip_blanks();
    if (peek() == '!') {
        if (result.address.kind == SedAddress::Kind::none) return declined("! without an address");
        at_++;
        result.negated = true;
        skip_blanks();
    }
    char name = peek();
    at_++;
    switch (name) {
        case 's':
            TRY(substitution(result));
            break;
        case 'p':
            result.kind = SedCommand::Kind::print;
            break;
        case 'd':
            result.kind = SedCommand::Kind::remove;
            break;
        case 'q':
            result.kind = SedCommand::Kind::quit;
            break;
        default:
            return declined("command");
    }
    skip_blanks();
    if (!at_end() && peek() != ';' && peek() != '\n') return declined("text after a command");
    return result;
}

Parsed<std::vector<SedCommand>> Script::parse() {
    std::vector<SedCommand> commands;
    while (true) {
        while (peek() == ' ' || peek() == ';' || peek() == '\n' || peek() == '\t')
            at_++;
        if (at_end()) return commands;
        auto next = TRY(command());
        commands.push_back(std::move(next));
    }
}

}  // namespace

Parsed<Filter> parse_sed(Words arguments) {
    auto scanned = TRY(scan_options(arguments, specs));
    Sed sed;
    bool extended = false;
    std::string script;
    bool given = false;
    for (const auto& [letter, value] : scanned.options) {
        if (letter == 'n') sed.quiet = true;
        if (letter == 'E' || letter == 'r') extended = true;
        if (letter == 'e') {
            script += value + "\n";
            given = true;
        }
    }
    auto operands = scanned.operands;
    if (!given) {
        if (operands.empty()) return declined("no script");
        script = operands.front();
        operands.erase(operands.begin());
    }
    if (!operands.empty()) return declined("files");
    if (script.starts_with("#n")) return declined("#n");
    auto commands = TRY(Script(script, extended).parse());
    sed.commands = std::move(commands);
    return sed;
}

}  // namespace nlsh
