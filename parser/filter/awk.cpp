// awk [-F TEXT] PROGRAM: rules of one print each, `/re/ {print $1, $NF}`,
// `NR==2 {print "x" $3; exit}`.
#include <array>

#include "parser/filter/filter.h"
#include "parser/filter/options.h"
#include "parser/filter/regex.h"
#include "parser/try.h"

namespace nlsh {

namespace {

class AwkProgram {
  public:
    explicit AwkProgram(std::string_view text) : text_(text) {}
    Parsed<std::vector<Awk::Rule>> parse();

  private:
    Parsed<Awk::Rule> rule();
    Parsed<bool> condition(Awk::Rule& rule);
    Parsed<bool> print(Awk::Rule& rule);
    Parsed<Awk::Item> item();
    Parsed<std::string> string();
    Parsed<uint64_t> number();

    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    void skip_blanks() {
        while (peek() == ' ' || peek() == '\t')
            at_++;
    }
    bool take(std::string_view word) {
        skip_blanks();
        if (text_.substr(at_, word.size()) != word) return false;
        at_ += word.size();
        return true;
    }

    std::string_view text_;
    size_t at_ = 0;
};

Parsed<uint64_t> AwkProgram::number() {
    size_t from = at_;
    while (peek() >= '0' && peek() <= '9')
        at_++;
    return parse_count(text_.substr(from, at_ - from));
}

Parsed<std::string> AwkProgram::string() {
    std::string result;
    while (peek() != '"') {
        char c = peek();
        if (c == '\0' || c == '\n' || static_cast<unsigned char>(c) >= 0x80)
            return declined("string");
        at_++;
        if (c == '\\') {
            constexpr std::string_view letters = "nt\\\"/", values = "\n\t\\\"/";
            size_t found = letters.find(peek());
            if (found == std::string_view::npos) return declined("escape in a string");
            c = values[found];
            at_++;
        }
        result += c;
    }
    at_++;
    return result;
}

Parsed<Awk::Item> AwkProgram::item() {
    using Kind = Awk::Item::Kind;
    if (take("\"")) {
        auto text = string();
        if (!text) return std::unexpected(text.error());
        return Awk::Item{Kind::text, 0, *text};
    }
    if (!take("$")) return declined("expression");
    if (take("NF")) return Awk::Item{Kind::last_field, 0, {}};
    auto field = number();
    if (!field || *field > 10000) return declined("field");
    return Awk::Item{Kind::field, static_cast<int>(*field), {}};
}

Parsed<bool> AwkProgram::print(Awk::Rule& rule) {
    using Kind = Awk::Item::Kind;
    skip_blanks();
    if (peek() == '}' || peek() == ';') {
        rule.items.push_back({Kind::field, 0, {}});
    } else {
        while (true) {
            auto next = TRY(item());
            rule.items.push_back(std::move(next));
            skip_blanks();
            if (peek() == '}' || peek() == ';') break;
            if (take(",")) rule.items.push_back({Kind::separator, 0, {}});
        }
    }
    take(";");
    return true;
}

Parsed<bool> AwkProgram::condition(Awk::Rule& rule) {
    if (take("!")) rule.negated = true;
    if (take("/")) {
        std::string text;
        while (peek() != '/') {
            if (peek() == '\0' || peek() == '\n') return declined("pattern");
            if (peek() == '\\') text += text_[at_++];
            if (peek() == '\0') return declined("pattern");
            text += text_[at_++];
        }
        at_++;
        auto pattern = TRY(vet_regex(text, true, false, RegexUser::awk));
        if (text.empty()) return declined("empty pattern");
        rule.pattern = pattern;
        return true;
    }
    if (rule.negated) return declined("condition");
    if (take("NR")) {
        if (!take("==")) return declined("condition");
        skip_blanks();
        auto line = number();
        if (!line || *line == 0) return declined("condition");
        rule.record = *line;
    }
    return true;
}

Parsed<Awk::Rule> AwkProgram::rule() {
    Awk::Rule result;
    TRY(condition(result));
    bool conditional = result.pattern || result.record != 0;
    if (!take("{")) {
        skip_blanks();
        if (!conditional || (peek() != '\0' && peek() != ';')) return declined("program");
        take(";");
        result.items.push_back({Awk::Item::Kind::field, 0, {}});
        return result;
    }
    if (!take("print")) return declined("statement");
    char after = peek();
    if (after != ' ' && after != '$' && after != '}' && after != ';' && after != '"' &&
        after != '\t')
        return declined("statement");
    TRY(print(result));
    result.exits = take("exit");
    if (result.exits) take(";");
    if (!take("}")) return declined("statement");
    return result;
}

Parsed<std::vector<Awk::Rule>> AwkProgram::parse() {
    std::vector<Awk::Rule> rules;
    while (true) {
        while (peek() == ' ' || peek() == '\t' || peek() == ';')
            at_++;
        if (at_ == text_.size()) break;
        auto next = TRY(rule());
        rules.push_back(std::move(next));
    }
    if (rules.empty()) return declined("no rule");
    return rules;
}

}  // namespace

Parsed<Filter> parse_awk(Words arguments) {
    Awk awk;
    size_t next = 0;
    if (next < arguments.size() && arguments[next].starts_with("-F")) {
        std::string value = arguments[next++].substr(2);
        if (value.empty()) {
            if (next == arguments.size()) return declined("-F without a value");
            value = arguments[next++];
        }
        if (value == "\\t") value = "\t";
        // Characters that no regular expression gives a meaning.
        if (value.empty() || value.find_first_not_of("\t :,;=/@-_%#!\"'&~<>") != value.npos)
            return declined("separator");
        if (value != " ") awk.separator = value;
    }
    if (next + 1 != arguments.size() || arguments[next].starts_with("-"))
        return declined("operands");
    auto rules = TRY(AwkProgram(arguments[next]).parse());
    awk.rules = std::move(rules);
    return awk;
}

}  // namespace nlsh
