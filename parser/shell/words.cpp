// Words, quoting, expansions, redirections and assignments.
#include <array>

#include "parser/ip/refusal.h"
#include "parser/shell/grammar.h"
#include "parser/try.h"

namespace nlsh {

namespace {

bool is_name_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_name_byte(char c) {
    return is_name_start(c) || (c >= '0' && c <= '9');
}

// Bytes that mean nothing but themselves in an unquoted word; '{' does in dash only.
constexpr std::array<bool, 256> plain_bytes = [] {
    std::array<bool, 256> plain{};
    for (unsigned c = '!'; c < 0x80; c++)
        plain[c] = std::string_view(";&|<>()'\"$`\\*?[~{").find(static_cast<char>(c)) ==
                   std::string_view::npos;
    return plain;
}();

size_t end_of_plain_bytes(std::string_view text, size_t at) {
    while (at < text.size() && plain_bytes[static_cast<unsigned char>(text[at])])
        at++;
    return at;
}

// Within double quotes.
size_t end_of_literal(std::string_view text, size_t at) {
    while (at < text.size() && text[at] != '"' && text[at] != '\\' && text[at] != '$' &&
           text[at] != '`' && text[at] != '\n')
        at++;
    return at;
}

// Variables that the shell or a program gives a meaning, or that the shell itself may change.
constexpr std::array<std::string_view, 41> special_names = {
    "PATH",         "IFS",        "HOME",
    "PWD",          "OLDPWD",     "ENV",
    "PS1",          "PS2",        "PS4",
    "OPTIND",       "OPTARG",     "OPTERR",
    "LANG",         "LANGUAGE",   "TERM",
    "NO_COLOR",     "COLORFGBG",  "HZ",
    "PROC_ROOT",    "TZ",         "POSIXLY_CORRECT",
    "UID",          "EUID",       "PPID",
    "RANDOM",       "SECONDS",    "LINENO",
    "GROUPS",       "FUNCNAME",   "DIRSTACK",
    "SHELLOPTS",    "SHELL",      "SHLVL",
    "HOSTNAME",     "IGNOREEOF",  "CDPATH",
    "GLOBIGNORE",   "EXECIGNORE", "TIMEFORMAT",
    "EPOCHSECONDS", "SRANDOM"};
constexpr std::array<std::string_view, 10> special_prefixes = {
    "LC_", "LD_", "BASH", "GREP", "COMP", "HIST", "GLIBC_", "MALLOC", "AWK", "NLSH"};

void add_literal(Word& word, bool quoted, std::string_view text) {
    auto& parts = word.parts;
    if (!parts.empty() && parts.back().kind == Part::Kind::literal &&
        parts.back().quoted == quoted) {
        parts.back().text += text;
        return;
    }
    parts.push_back({Part::Kind::literal, quoted, std::string(text), nullptr});
}

}  // namespace

bool special_variable(std::string_view name) {
    for (auto each : special_names) {
        if (each == name) return true;
    }
    for (auto each : special_prefixes) {
        if (name.starts_with(each)) return true;
    }
    return name == "_";
}

std::optional<std::string> Word::literal() const {
    if (plain) return source;
    std::string text;
    for (const auto& part : parts) {
        if (part.kind != Part::Kind::literal) return std::nullopt;
        text += part.text;
    }
    return text;
}

Parsed<void> Grammar::word(Word& word) {
    const size_t start = at_;
    at_ = end_of_plain_bytes(text_, at_);
    word.plain = at_ > start && at_delimiter();
    if (!word.plain) at_ = start;
    while (!at_delimiter())
        TRY(unquoted(word, start));
    word.source = text_.substr(start, at_ - start);
    return {};
}

// Plain characters, or one of another kind, a quotation or an expansion.
Parsed<bool> Grammar::unquoted(Word& word, size_t start) {
    if (const size_t end = end_of_plain_bytes(text_, at_); end > at_) {
        add_literal(word, false, text_.substr(at_, end - at_));
        at_ = end;
        return true;
    }
    char c = text_[at_];
    if (c == '\'') {
        size_t end = text_.find('\'', at_ + 1);
        if (end == std::string_view::npos) return declined("syntax: unterminated quote");
        for (char each : text_.substr(at_, end - at_))
            line_ += each == '\n';
        add_literal(word, true, text_.substr(at_ + 1, end - at_ - 1));
        at_ = end + 1;
        return true;
    }
    if (c == '"') return double_quoted(word);
    if (c == '$') return dollar(word, false);
    if (c == '`') return backquotes(word, false);
    if (c == '\\') {
        if (at_ + 1 == text_.size()) return declined("trailing backslash");
        if (peek(1) == '\n')
            next_line();
        else
            add_literal(word, true, text_.substr(at_ + 1, 1));
        at_ += 2;
        return true;
    }
    bool lone = at_ == start && plain_word() == "[";
    if (c == '*' || c == '?' || (c == '[' && !lone)) return declined("glob");
    if (c == '~') return declined("~");
    if (c == '{' && dialect_ == Dialect::bash) return declined("brace expansion");
    if (static_cast<unsigned char>(c) >= 0x80 || static_cast<unsigned char>(c) < 0x20)
        return declined("byte");
    add_literal(word, false, text_.substr(at_, 1));
    at_++;
    return true;
}

Parsed<bool> Grammar::double_quoted(Word& word) {
    at_++;
    add_literal(word, true, {});
    while (peek() != '"') {
        if (at_end()) return declined("syntax: unterminated quote");
        if (const size_t end = end_of_literal(text_, at_); end > at_) {
            add_literal(word, true, text_.substr(at_, end - at_));
            at_ = end;
            continue;
        }
        char c = text_[at_];
        if (c == '$') {
            if (auto ok = dollar(word, true); !ok) return ok;
            continue;
        }
        if (c == '`') {
            if (auto ok = backquotes(word, true); !ok) return ok;
            continue;
        }
        if (c == '\n') next_line();
        if (c == '\\' && std::string_view("$`\"\\\n").find(peek(1)) != std::string_view::npos &&
            peek(1) != '\0') {
            if (peek(1) == '\n')
                next_line();
            else
                add_literal(word, true, text_.substr(at_ + 1, 1));
            at_ += 2;
            continue;
        }
        add_literal(word, true, text_.substr(at_, 1));
        at_++;
    }
    at_++;
    return true;
}

Parsed<bool> Grammar::dollar(Word& word, bool quoted) {
    char next = peek(1);
    if (next == '(') return substitution(word, quoted);
    if (next == '?') {
        word.parts.push_back({Part::Kind::status, quoted, {}, nullptr});
        at_ += 2;
        return true;
    }
    const char first = next == '{' ? peek(2) : next;
    if (is_name_start(first) || (first >= '1' && first <= '9') || next == '#')
        return variable(word, quoted);
    bool quote = next == '"' || next == '\'';
    if (std::string_view("{@*-$!0`[\\").find(next) != std::string_view::npos && next != '\0') {
        return declined("parameter expansion");
    }
    if (quote && !quoted) return declined("$ before a quote");
    add_literal(word, quoted, "$");
    at_++;
    return true;
}

// $NAME, ${NAME}, and what `set --` has set: $1 to $9, $#.
Parsed<bool> Grammar::variable(Word& word, bool quoted) {
    const bool braced = peek(1) == '{';
    const size_t from = at_ + (braced ? 2 : 1);
    size_t to = from + 1;
    while (is_name_start(text_[from]) && to < text_.size() && is_name_byte(text_[to]))
        to++;
    const std::string_view name = text_.substr(from, to - from);
    if (braced && (to == text_.size() || text_[to] != '}')) return declined("parameter expansion");
    if (to + 1 < text_.size() && text_[to] == '\\' && text_[to + 1] == '\n')
        return declined("$ at a line's end");
    const auto known = assigned_.find(name);
    if (known == assigned_.end())
        return declined("variable " + std::string(name) + " isn't assigned in the line");
    at_ = to + (braced ? 1 : 0);
    const auto& value = known->second;
    const bool one_field =
        value && !value->empty() && value->find_first_of(" \t\n*?[") == value->npos;
    if (value && !values_change_ && (quoted || one_field))
        add_literal(word, true, *value);
    else
        word.parts.push_back({Part::Kind::variable, quoted, std::string(name), nullptr});
    return true;
}

// `…`: a backslash quotes only itself, a backquote and a dollar.
Parsed<bool> Grammar::backquotes(Word& word, bool quoted) {
    std::string text;
    for (at_++; peek() != '`'; at_++) {
        if (at_end()) return declined("syntax: unterminated backquote");
        if (peek() == '\n') return declined("newline in backquotes");
        if (peek() == '\\' && quoted && peek(1) == '"') return declined("quotes in backquotes");
        if (peek() == '\\' && (peek(1) == '\\' || peek(1) == '`' || peek(1) == '$')) at_++;
        text += peek();
    }
    at_++;
    Grammar inner(text, dialect_, name_, environment_, totals_);
    inner.enter(netns_);
    inner.assigned_ = assigned_;
    inner.line_ = line_;
    const int printers_before = totals_.line_printers;
    auto body = TRY(inner.script());
    if (body.items.empty()) return declined("empty backquotes");
    // dash counts lines anew there.
    if (line_ > 1 && totals_.line_printers > printers_before)
        return declined("a line's number in backquotes");
    word.parts.push_back(
        {Part::Kind::substitution, quoted, {}, std::make_shared<const List>(std::move(body))});
    return true;
}

Parsed<bool> Grammar::substitution(Word& word, bool quoted) {
    if (peek(2) == '(') return declined("arithmetic");
    at_ += 2;
    const auto before = assigned_;
    auto body = TRY(list(Stop::parenthesis));
    at_++;
    assigned_ = before;
    word.parts.push_back(
        {Part::Kind::substitution, quoted, {}, std::make_shared<const List>(std::move(body))});
    return true;
}

bool Grammar::at_redirection() const {
    if (peek() == '<' || peek() == '>') return true;
    if (peek() == '&' && peek(1) == '>') return true;
    return peek() >= '0' && peek() <= '9' && (peek(1) == '>' || peek(1) == '<');
}

Parsed<Redirection> Grammar::redirection() {
    Redirection result;
    if (peek() == '&') {
        if (dialect_ != Dialect::bash) return declined("background job");
        at_++;
        result.from_out = result.from_err = true;
    } else if (peek() == '1' || peek() == '2') {
        (peek() == '1' ? result.from_out : result.from_err) = true;
        at_++;
    } else if (peek() == '>') {
        result.from_out = true;
    }
    if (peek() != '>') return declined("redirection");
    at_++;
    if (peek() == '>') {
        result.kind = Redirection::Kind::append;
        at_++;
    } else if (peek() == '&') {
        at_++;
        bool both = result.from_out && result.from_err;
        if (both || (peek() != '1' && peek() != '2')) return declined("redirection");
        result.kind = Redirection::Kind::duplicate;
        result.to_err = peek() == '2';
        at_++;
        // `>&2>` is a syntax error of dash.
        if (!at_delimiter() || peek() == '>' || peek() == '<') return declined("redirection");
        return result;
    }
    if (peek() == '|' || peek() == '&' || peek() == '<' || peek() == '(')
        return declined("redirection");
    skip_blanks();
    Word target;
    TRY(word(target));
    auto path = target.literal();
    if (!path || path->empty()) return declined("redirection");
    result.path = *path;
    const bool other_device = path->starts_with("/dev/") && !result.discards();
    if (other_device || !environment_.writable(*path)) return declined("redirection to " + *path);
    if (result.discards()) return result;
    totals_.changes++;
    totals_.written_files.push_back(result.path);
    return result;
}

bool Grammar::at_assignment() const {
    size_t end = at_;
    while (end < text_.size() && is_name_byte(text_[end]))
        end++;
    return end > at_ && is_name_start(peek()) && end < text_.size() && text_[end] == '=';
}

Parsed<Assignment> Grammar::assignment() {
    Assignment result;
    size_t equals = text_.find('=', at_);
    result.name = text_.substr(at_, equals - at_);
    at_ = equals + 1;
    if (peek() == '(') return declined("array");
    TRY(word(result.value));
    return result;
}

}  // namespace nlsh
