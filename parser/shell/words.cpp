// Expansions, redirections and assignments.
#include <algorithm>
#include <array>

#include "parser/shell/grammar.h"
#include "parser/try.h"

namespace nlsh {
namespace {

// Variables that mean something to the shell or a program, or that the shell may change.
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

}  // namespace

bool special_variable(std::string_view name) {
    return name == "_" || std::ranges::find(special_names, name) != special_names.end() ||
           std::ranges::any_of(special_prefixes,
                               [&](std::string_view each) { return name.starts_with(each); });
}

Parsed<void> Grammar::special(bool first) {
    const char c = peek();
    const bool lone = first && plain_word() == "[";
    if (c == '*' || c == '?' || (c == '[' && !lone)) return declined("glob");
    if (c == '~') return declined("~");
    if (c == '{' && dialect_ == Dialect::bash) return declined("brace expansion");
    if (static_cast<unsigned char>(c) >= 0x80 || static_cast<unsigned char>(c) < 0x20)
        return declined("byte");
    return {};
}

Parsed<void> Grammar::expansion(Word& word, bool quoted) {
    if (peek() == '`') return backquotes(word, quoted);
    char next = peek(1);
    if (next == '(') return substitution(word, quoted);
    if (next == '?') {
        word.parts.push_back({Part::Kind::status, quoted, {}, nullptr});
        at_ += 2;
        return {};
    }
    const char first = next == '{' ? peek(2) : next;
    if (!shell_name({&first, 1}).empty() || (first >= '1' && first <= '9') || next == '#')
        return variable(word, quoted);
    bool quote = next == '"' || next == '\'';
    if (std::string_view("{@*-$!0`[\\").find(next) != std::string_view::npos && next != '\0') {
        return declined("parameter expansion");
    }
    if (quote && !quoted) return declined("$ before a quote");
    add_literal(word, quoted, "$");
    at_++;
    return {};
}

// $NAME, ${NAME}, and the positional parameters of `set --`: $1 to $9, $#.
Parsed<void> Grammar::variable(Word& word, bool quoted) {
    const bool braced = peek(1) == '{';
    const size_t from = at_ + (braced ? 2 : 1);
    // $1 and $# are one byte.
    const size_t to = from + std::max<size_t>(1, shell_name(text_.substr(from)).size());
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
    return {};
}

Parsed<void> Grammar::backquotes(Word& word, bool quoted) {
    const size_t start = at_;
    const auto text = TRY(backquoted());
    const std::string_view source = text_.substr(start, at_ - start);
    if (source.contains('\n')) return declined("newline in backquotes");
    if (quoted && source.contains("\\\"")) return declined("quotes in backquotes");
    Grammar inner(text, dialect_, name_, environment_, totals_);
    inner.enter(netns_);
    inner.assigned_ = assigned_;
    inner.line_ = line_;
    const int printers_before = totals_.line_printers;
    auto body = TRY(inner.script());
    if (body.items.empty()) return declined("empty backquotes");
    // dash restarts its line numbers in backquotes.
    if (line_ > 1 && totals_.line_printers > printers_before)
        return declined("a line's number in backquotes");
    word.parts.push_back(
        {Part::Kind::substitution, quoted, {}, std::make_shared<const List>(std::move(body))});
    return {};
}

Parsed<void> Grammar::substitution(Word& word, bool quoted) {
    if (peek(2) == '(') return declined("arithmetic");
    at_ += 2;
    const auto before = assigned_;
    auto body = TRY(list(Stop::parenthesis));
    at_++;
    assigned_ = before;
    word.parts.push_back(
        {Part::Kind::substitution, quoted, {}, std::make_shared<const List>(std::move(body))});
    return {};
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
        // In dash `>&2>` is a syntax error.
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
