#include "shim/lines/carried.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>
#include <vector>

#include "parser/shell/lexer.h"
#include "parser/text.h"
#include "parser/try.h"

namespace nlsh {
namespace {

// Builtins that change their shell.
constexpr std::array<std::string_view, 20> keepers{
    ".",      "alias",   "cd",   "chdir",  "eval",     "exec",   "exit",
    "export", "getopts", "popd", "pushd",  "readonly", "return", "set",
    "shift",  "source",  "trap", "ulimit", "umask",    "unset"};
// Builtins that act on an earlier line's background processes.
constexpr std::array<std::string_view, 4> waiters{"bg", "fg", "jobs", "wait"};
// Variables that commands or the shell itself read in any environment.
constexpr std::array<std::string_view, 6> always_seen{"CDPATH", "ENV",  "HOME",
                                                      "IFS",    "LANG", "PATH"};

bool is_among(const auto& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

// Reserved words that a command may follow.
struct Reserved {
    std::string_view word;
    std::string_view closed_by;  // empty: it opens nothing
    bool closes;
};
constexpr std::array<Reserved, 13> reserved_words{{
    {"if", "fi", false},
    {"while", "done", false},
    {"until", "done", false},
    {"{", "}", false},
    {"!", "", false},
    {"then", "", false},
    {"else", "", false},
    {"elif", "", false},
    {"do", "", false},
    {"fi", "", true},
    {"done", "", true},
    {"}", "", true},
    {"esac", "", true},
}};

std::unexpected<Decline> missing(std::string_view what) {
    return declined(fmt::format("unfinished: {} is missing", what));
}

// Whether the line is one ip or bridge command in plain words, which carries nothing over. Most
// lines are, and a full reading takes a quarter of a run's time.
bool is_plain_tool(std::string_view line) {
    static constexpr auto plain = [] {
        std::array<bool, 256> bytes{};
        for (const char c : plain_bytes)
            bytes[static_cast<uint8_t>(c)] = true;
        bytes[' '] = true;
        return bytes;
    }();
    const std::string_view name = base_name(line.substr(0, line.find(' ')));
    return (name == "ip" || name == "bridge") &&
           std::ranges::all_of(line, [](char c) { return plain[static_cast<uint8_t>(c)]; });
}

bool in_environment(const std::string& name) {
    return is_among(always_seen, name) || name.starts_with("LC_") ||
           getenv(name.c_str()) != nullptr;
}

}  // namespace

// Reads a line to find what its shell would carry over. A shell may still refuse the line.
class Carried::Reading final : Lexer {
  public:
    Reading(Carried& carried, size_t number, std::string_view line)
        : Lexer(line), carried_(carried), number_(number) {}

    Parsed<void> line() {
        TRY(list());
        return at_end() ? Parsed<void>() : missing("the ( of a )");
    }

  private:
    // A shell, or a subshell.
    struct Shell {
        int depth = 0;                              // 0: the line's own shell
        bool first = true;                          // a command's name is due
        bool conditional = false;                   // && or || stands before
        bool piped = false;                         // | stands before
        bool joined = false;                        // a command must follow
        std::vector<std::string_view> closed = {};  // what closes the open compound commands
        std::vector<std::string> assigned = {};     // assignments, maybe before a command's name
    };

    Parsed<void> special(bool /*first*/) override { return {}; }
    Parsed<void> expansion(Word& word, bool quoted) override;
    Parsed<void> list();
    void separator();
    void end_command(bool piped);
    Parsed<void> redirection();
    Parsed<void> simple_word();
    Parsed<bool> reserved_word(const std::string& word);
    Parsed<void> loop_over(bool is_case);
    Parsed<void> subshell();
    Parsed<void> braced();
    Parsed<void> arithmetic();
    Parsed<void> command(const std::string& name);
    Parsed<void> argument(const std::string& text);
    Parsed<void> refer(std::string_view name) const;
    void assign(const std::string& name);
    void keep(const std::string& what);
    bool waits_for_earlier() const {
        return carried_.background_ > 0 && carried_.background_ != number_;
    }
    bool in_case() const { return !shell_.closed.empty() && shell_.closed.back() == "esac"; }

    Carried& carried_;
    const size_t number_;
    Shell shell_;
    std::string command_;
    unsigned commands_ = 0;  // from the second on, $? is this line's own
};

// Reads up to the end, or to a subshell's `)`.
Parsed<void> Carried::Reading::list() {
    for (skip_blanks(); !at_end(); skip_blanks()) {
        if (peek() == ')') {
            if (!in_case()) break;
            ++at_;  // a pattern's
            shell_.first = true;
            shell_.piped = false;
        } else if (std::string_view("\n;&|").contains(peek())) {
            separator();
        } else if (peek() == '(') {
            TRY(subshell());
        } else if (at_redirection()) {
            TRY(redirection());
        } else {
            TRY(simple_word());
        }
    }
    end_command(false);
    if (!shell_.closed.empty()) return missing(shell_.closed.back());
    return shell_.joined ? missing("a command") : Parsed<void>();
}

// ; ;; & && | ||
void Carried::Reading::separator() {
    const char c = peek();
    const bool twice = peek(1) == c;
    const bool pipe = c == '|' && !twice;
    end_command(pipe);
    at_ += twice ? 2 : 1;
    shell_.conditional = twice && (c == '&' || c == '|');
    shell_.joined = shell_.conditional || pipe;
    shell_.piped = pipe;
    if (c == '&' && !twice && shell_.depth == 0) carried_.background_ = number_;
}

void Carried::Reading::end_command(bool piped) {
    // Assignments before a command's name belong to that command; in a pipeline, to a subshell.
    if (shell_.first && !piped && !shell_.piped) {
        for (const std::string& name : shell_.assigned)
            assign(name);
    }
    shell_.assigned.clear();
    shell_.first = true;
}

Parsed<void> Carried::Reading::redirection() {
    if (rest().substr(0, 3).contains("<<")) return missing("the text of a here-document");
    shell_.joined = false;
    at_ = std::min(text_.find_first_not_of("<>&|", at_ + 1), text_.size());
    skip_blanks();
    Word file;
    return word(file);
}

// Reads a word of a simple command: an assignment, a reserved word, the name or an argument.
Parsed<void> Carried::Reading::simple_word() {
    shell_.joined = false;
    Word next;
    if (shell_.first && at_assignment()) {
        shell_.assigned.emplace_back(shell_name(rest()));
        return word(next);
    }
    TRY(word(next));
    const std::string text = next.literal().value_or("");
    if (!shell_.first) return argument(text);
    if (next.source == "for" || next.source == "case") return loop_over(next.source == "case");
    if (TRY(reserved_word(next.source))) return {};
    skip_blanks();
    if (peek() == '(') {
        keep(text + "()");
        at_ += peek(1) == ')' ? 2 : 1;
        return {};
    }
    shell_.first = false;
    return command(text);
}

Parsed<bool> Carried::Reading::reserved_word(const std::string& word) {
    const auto found = std::ranges::find(reserved_words, word, &Reserved::word);
    if (found == reserved_words.end()) return false;
    if (found->closes) {
        if (shell_.closed.empty() || shell_.closed.back() != word)
            return missing("the beginning of " + word);
        shell_.closed.pop_back();
    }
    if (!found->closed_by.empty()) shell_.closed.push_back(found->closed_by);
    return true;
}

// Reads `for NAME in` or `case WORD in`.
Parsed<void> Carried::Reading::loop_over(bool is_case) {
    skip_blanks();
    Word subject;
    TRY(word(subject));
    if (!is_case) assign(subject.source);
    shell_.closed.emplace_back(is_case ? "esac" : "done");
    skip_blanks();
    if (plain_word() != "in") return {};
    at_ += 2;
    shell_.first = is_case;
    command_ = "for";
    return {};
}

// A subshell's own changes end with the subshell.
Parsed<void> Carried::Reading::subshell() {
    if (shell_.depth == max_depth) return declined("nested too deeply");
    ++at_;
    Shell outer = std::exchange(shell_, Shell{.depth = shell_.depth + 1});
    TRY(list());
    if (at_end()) return missing(")");
    ++at_;
    shell_ = std::move(outer);
    shell_.joined = false;
    return {};
}

Parsed<void> Carried::Reading::expansion(Word& word, bool quoted) {
    word.parts.push_back({.kind = Part::Kind::variable, .quoted = quoted, .text = {}, .body = {}});
    if (peek() == '`') {
        if (shell_.depth == max_depth) return declined("nested too deeply");
        const auto text = TRY(backquoted());
        Reading inner(carried_, number_, text);
        inner.shell_.depth = shell_.depth + 1;
        return inner.line();
    }
    ++at_;
    if (rest().starts_with("((")) return arithmetic();
    if (peek() == '(') return subshell();
    if (peek() == '{') return braced();
    std::string_view name = shell_name(rest());
    if (name.empty() && std::string_view("$@*#-?!").contains(peek())) name = rest().substr(0, 1);
    at_ += name.size();
    return refer(name);
}

// ${NAME…}, whose word may contain expansions.
Parsed<void> Carried::Reading::braced() {
    at_ += peek(1) == '#' ? 2 : 1;
    const std::string name(shell_name(rest()));
    TRY(refer(name));
    at_ += name.size();
    if (peek() == '=' || (peek() == ':' && peek(1) == '=')) assign(name);
    for (Word ignored; peek() != '}';) {
        if (at_end()) return missing("}");
        if (peek() == '$' || peek() == '`') {
            TRY(expansion(ignored, false));
        } else if (peek() == '"') {
            TRY(double_quoted(ignored));
        } else {
            ++at_;
        }
    }
    ++at_;
    return {};
}

// $(( … )): names need no $, and = sets them.
Parsed<void> Carried::Reading::arithmetic() {
    const bool sets = rest().substr(0, rest().find("))")).contains('=');
    int depth = 0;
    do {
        if (at_end()) return missing("))");
        const std::string name(shell_name(rest()));
        TRY(refer(name));
        if (sets && !name.empty()) assign(name);
        depth += (peek() == '(') - (peek() == ')');
        at_ += std::max<size_t>(1, name.size());
    } while (depth > 0);
    return {};
}

Parsed<void> Carried::Reading::command(const std::string& name) {
    if (shell_.piped || shell_.depth > 0) return {};
    // `command cd` is cd: the next word is the command.
    command_ = name == "command" ? "" : name;
    ++commands_;
    if (is_among(keepers, name)) keep(name);
    if (is_among(waiters, name) && waits_for_earlier())
        return declined(name + " acts on an earlier line's process");
    return {};
}

Parsed<void> Carried::Reading::argument(const std::string& text) {
    if (command_.empty()) return command(text);
    if (command_ == "read" && !shell_.piped && !text.starts_with('-')) assign(text);
    return {};
}

Parsed<void> Carried::Reading::refer(std::string_view name) const {
    const bool own = shell_.depth == 0;
    if (own && name == "!" && waits_for_earlier())
        return declined("$! is an earlier line's process");
    if (own && name == "?" && commands_ < 2 && !carried_.first_)
        return declined("$? is an earlier line's status");
    const auto set = carried_.set_.find(name);
    if (set == carried_.set_.end() || set->second == number_) return {};
    return declined(fmt::format("${} is set by line {}", name, set->second));
}

void Carried::Reading::assign(const std::string& name) {
    if (shell_.depth > 0) return;
    const bool always = shell_.closed.empty() && !shell_.conditional;
    if (always)
        carried_.set_.insert_or_assign(name, number_);
    else
        carried_.set_.emplace(name, number_);
    if (in_environment(name)) keep(name + "=");
}

void Carried::Reading::keep(const std::string& what) {
    if (shell_.depth > 0 || carried_.pending_) return;
    carried_.pending_ = Fault{number_, fmt::format("'{}' would act on the lines after it", what)};
}

std::optional<Carried::Fault> Carried::next(size_t number, std::string_view text) {
    if (pending_) return pending_;
    if (is_plain_tool(text)) {
        first_ = false;
        return {};
    }
    auto read = Reading(*this, number, text).line();
    first_ = false;
    if (read) return {};
    return Fault{number, std::move(read).error().reason};
}

}  // namespace nlsh
