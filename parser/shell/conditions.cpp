// bash's [[ … ]]: one comparison, whose operands are neither split nor globs.
#include <string>
#include <string_view>

#include "parser/filter/regex.h"
#include "parser/shell/grammar.h"
#include "parser/try.h"

namespace nlsh {
namespace {

constexpr std::string_view special = ".[]*^$+?(){}|\\";  // in an extended regular expression

void add_escaped(std::string& text, char c) {
    if (special.contains(c)) text += '\\';
    text += c;
}

bool is_alnum(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\0';
}

}  // namespace

Parsed<void> Grammar::condition(Node& node) {
    Simple& simple = node.kind.emplace<Simple>();
    simple.line = line_;
    simple.position = ++totals_.commands;
    const size_t start = at_;
    at_ += 2;  // [[
    skip_blanks();
    Condition condition;
    if (plain_word() == "!") {
        condition.negated = true;
        at_++;
        skip_blanks();
    }
    const std::string_view first = plain_word();
    const bool unary = first == "-n" || first == "-z";
    if (unary) {
        condition.negated ^= first == "-z";
        at_ += 2;
        skip_blanks();
    }
    // Other operators, groups, nothing.
    if (peek() == '-' || peek() == '!' || at_delimiter() || plain_word() == "]]")
        return declined("[[: expression");
    TRY(word(condition.left));
    skip_blanks();
    if (plain_word() != "]]" && unary) return declined("[[: expression");
    if (plain_word() != "]]") TRY(comparison(condition));
    skip_blanks();
    if (plain_word() != "]]") return declined("[[: expression");
    at_ += 2;
    const std::string_view source = text_.substr(start, at_ - start);
    skip_blanks();
    if (!at_delimiter() || peek() == '(' || peek() == '<' || peek() == '>')
        return declined("[[: redirection");
    if (source.contains('\n')) return declined("[[: newline");
    const bool matches = condition.kind == Condition::Kind::pattern ||
                         condition.kind == Condition::Kind::whole_pattern;
    if (matches && totals_.changes > 0 && environment_.charset() == Charset::utf8)
        return declined("[[ after a change: depends on the locale");
    simple.words.push_back(Word{.source = std::string(source), .plain = true, .parts = {}});
    simple.action = std::move(condition);
    return {};
}

Parsed<void> Grammar::comparison(Condition& condition) {
    const std::string_view operation = plain_word();
    const bool regex = operation == "=~";
    if (!regex && operation != "==" && operation != "=" && operation != "!=")
        return declined("[[: operator");
    condition.negated ^= operation == "!=";
    at_ += operation.size();
    skip_blanks();
    const size_t start = at_;
    if (!regex) {
        if (auto read = word(condition.right); read && is_blank(peek())) {
            // An unquoted expansion is a pattern.
            for (const Part& part : condition.right.parts)
                if (part.kind != Part::Kind::literal && !part.quoted)
                    return declined("[[: variable in a pattern");
            condition.kind = Condition::Kind::equal;
            return {};
        }
        at_ = start;
    }
    auto text = TRY(pattern_text(regex));
    if (text.empty()) return declined("[[: pattern");
    condition.kind = regex ? Condition::Kind::pattern : Condition::Kind::whole_pattern;
    condition.regex = TRY(vet_regex(text, true, false, RegexUser::grep));
    return {};
}

// A bracket expression with its brackets.
Parsed<void> Grammar::bracket_text(std::string& text) {
    const size_t start = at_;
    for (at_++; peek() != ']' || at_ == start + 1; at_++) {
        if (is_blank(peek()) || std::string_view("\\\"'$`").contains(peek()))
            return declined("[[: bracket expression");
        if (peek() != '[') continue;
        const size_t end = text_.find(":]", at_);
        if (peek(1) != ':' || end == text_.npos) return declined("[[: bracket expression");
        at_ = end + 1;
    }
    at_++;
    text += text_.substr(start, at_ - start);
    return {};
}

// Reads a pattern as an extended regular expression. Quoted characters stand for themselves.
Parsed<std::string> Grammar::pattern_text(bool regex) {
    std::string text;
    if (peek() == '~') return declined("[[: tilde");
    while (!is_blank(peek())) {
        const char c = peek();
        if (c == '\'' || c == '"') {
            for (at_++; peek() != c; at_++) {
                if (at_end() || peek() == '\n' ||
                    (c == '"' && std::string_view("$`\\").contains(peek())))
                    return declined("[[: quotes");
                add_escaped(text, peek());
            }
            at_++;
        } else if (c == '\\') {
            if (is_alnum(peek(1)) || peek(1) == '\n' || peek(1) == '\0')
                return declined("[[: backslash");
            add_escaped(text, peek(1));
            at_ += 2;
        } else if (c == '[') {
            if (!regex) return declined("[[: bracket expression");
            TRY(bracket_text(text));
        } else if (c == '$') {
            const char next = peek(1);
            if (!regex || (!is_blank(next) && next != ')' && next != '|'))
                return declined("[[: variable in a pattern");
            text += c;
            at_++;
        } else if (std::string_view("`;&<>!").contains(c) ||
                   (!regex && std::string_view("()|+@").contains(c))) {
            return declined("[[: pattern");
        } else {
            if (regex)
                text += c;
            else if (c == '*' || c == '?')
                text += c == '*' ? ".*" : ".";
            else
                add_escaped(text, c);
            at_++;
        }
    }
    return text;
}

}  // namespace nlsh
