#include "parser/shell/grammar.h"
#include "parser/try.h"

#include <algorithm>
#include <array>

namespace nlsh {
namespace {

constexpr std::array<std::string_view, 20> reserved = {
    "!",   "{",  "}",    "case", "do",    "done",  "elif", "else",   "esac",     "fi",
    "for", "if", "then", "in",   "until", "while", "[[",   "select", "function", "time"};

bool is_reserved(std::string_view word) {
    return std::ranges::find(reserved, word) != reserved.end();
}

using Bytes = std::array<bool, 256>;

// The first bytes of reserved words. Most commands begin with another byte, which saves comparing.
constexpr Bytes begins_reserved = [] {
    Bytes bytes{};
    for (const std::string_view word : reserved)
        bytes[static_cast<unsigned char>(word[0])] = true;
    return bytes;
}();

// Counts how deep lists nest, to decline a line before the stack overflows.
class Depth {
  public:
    explicit Depth(ParseTotals& totals) : totals_(totals) { totals_.depth++; }
    ~Depth() { totals_.depth--; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;
    bool too_deep() const { return totals_.depth > max_depth; }

  private:
    ParseTotals& totals_;
};

// The shell may print the command's line number.
bool may_print_its_line(const Simple& simple) {
    const auto* builtin = std::get_if<Builtin>(&simple.action);
    if (builtin && (builtin->kind == BuiltinKind::test || builtin->kind == BuiltinKind::exit))
        return true;
    return std::ranges::any_of(simple.redirections,
                               [](const Redirection& each) { return !each.path.empty(); });
}

// Joins the results of two branches: a variable whose value differs becomes unknown.
void join(Assigned& certain, const Assigned& other) {
    for (auto& [name, value] : certain) {
        const auto found = other.find(name);
        if (found == other.end() || found->second != value) value.reset();
    }
}

bool only_filters(const Node& node) {
    const auto* simple = std::get_if<Simple>(&node.kind);
    return simple && (std::holds_alternative<Filter>(simple->action) ||
                      std::holds_alternative<Builtin>(simple->action));
}

}  // namespace

bool Grammar::at_stop(Stop stop) {
    if (at_end()) return stop == Stop::end;
    switch (stop) {
        case Stop::end:
            return false;
        case Stop::parenthesis:
            return peek() == ')';
        case Stop::brace:
            return plain_word() == "}";
        case Stop::then:
            return plain_word() == "then";
        case Stop::fi:
            return plain_word() == "fi";
        case Stop::done:
            return plain_word() == "done";
        case Stop::branch:
            return plain_word() == "fi" || plain_word() == "elif" || plain_word() == "else";
    }
    return false;
}

Parsed<List> Grammar::script() {
    auto body = list(Stop::end, true);
    if (body && !at_end()) return declined("syntax");
    return body;
}

Parsed<List> Grammar::list(Stop stop, bool may_be_empty) {
    Depth depth(totals_);
    if (depth.too_deep()) return declined("nested too deeply");
    List result;
    skip_newlines();
    while (!at_stop(stop)) {
        if (at_end()) return declined("syntax");
        TRY(and_or(result.items.emplace_back()));
        skip_blanks();
        if (peek() == '&') return declined("background job");
        bool separated = peek() == ';' || peek() == '\n';
        if (peek() == ';') {
            at_++;
            if (peek() == ';') return declined("syntax");
        }
        skip_newlines();
        // `)` ends a command by itself, the reserved words need a separator before them.
        if (!separated && !at_end() && !(stop == Stop::parenthesis && peek() == ')')) {
            const auto* simple = std::get_if<Simple>(&result.items.back().kind);
            if (simple || !at_stop(stop)) return declined("syntax");
        }
    }
    if (result.items.empty() && !may_be_empty) return declined("syntax");
    return result;
}

Parsed<void> Grammar::and_or(Node& node) {
    const auto both = [this] { return peek() == '&' && peek(1) == '&'; };
    const auto either = [this] { return peek() == '|' && peek(1) == '|'; };
    TRY(pipeline(node));
    skip_blanks();
    if (!both() && !either()) return {};
    AndOr result;
    result.items.reserve(2);
    result.items.push_back(std::move(node));
    // The first item's assignments hold after the list; later items' only along a chain of &&.
    auto certain = assigned_;
    auto along = assigned_;
    while (both() || either()) {
        const bool follows_success = both();
        at_ += 2;
        skip_newlines();
        assigned_ = follows_success ? along : certain;
        TRY(pipeline(result.items.emplace_back()));
        join(certain, assigned_);
        along = follows_success ? assigned_ : certain;
        result.and_.push_back(follows_success);
        skip_blanks();
    }
    assigned_ = certain;
    node = Node{.kind = std::move(result)};
    return {};
}

Parsed<void> Grammar::pipeline(Node& node) {
    Pipeline result;
    skip_blanks();
    if (peek() == '!' && plain_word() == "!") {
        at_++;
        skip_blanks();
        result.negated = true;
        if (plain_word() == "!") return declined("syntax");
    }
    int changes = totals_.changes;
    const auto before = assigned_;
    TRY(command(node, false));
    skip_blanks();
    if (peek() == '|' && peek(1) != '|') {
        assigned_ = before;  // every stage is a subshell
        TRY(stages(result, std::move(node), changes));
    } else if (result.negated) {
        result.stages.push_back(std::move(node));
    } else {
        return {};
    }
    node = Node{.kind = std::move(result)};
    return {};
}

Parsed<void> Grammar::stages(Pipeline& pipeline, Node first, int changes_before) {
    const auto before = assigned_;
    pipeline.stages.push_back(std::move(first));
    while (peek() == '|' && peek(1) != '|') {
        at_++;
        if (peek() == '&') return declined("|&");
        skip_newlines();
        TRY(command(pipeline.stages.emplace_back(), true));
        assigned_ = before;
        skip_blanks();
    }
    // Stages run at the same time, so a change in one and a show in another have no certain order.
    int others = 0;
    for (const auto& stage : pipeline.stages)
        others += only_filters(stage) ? 0 : 1;
    if (totals_.changes > changes_before && others > 1) return declined("change in a pipeline");
    return {};
}

Parsed<void> Grammar::command(Node& node, bool has_input) {
    skip_blanks();
    if (peek() == '(') return subshell(node);
    if (begins_reserved[static_cast<unsigned char>(peek())]) {
        const std::string_view word = plain_word();
        if (word == "{") return group(node);
        if (word == "if") return if_clause(node);
        if (word == "for") return for_clause(node);
        if (word == "while") return while_clause(node, has_input);
        if (word == "[[" && dialect_ == Dialect::bash) return condition(node);
        if (is_reserved(word)) return declined("syntax: " + std::string(word));
    }
    return simple(node, has_input);
}

Parsed<void> Grammar::subshell(Node& node) {
    if (peek(1) == '(') return declined("((");
    at_++;
    const auto before = assigned_;
    auto body = TRY(list(Stop::parenthesis));
    at_++;
    assigned_ = before;
    auto redirections = TRY(compound_redirections());
    node.kind =
        Compound{Compound::Kind::subshell, std::move(body), std::move(redirections), dialect_, {}};
    return {};
}

// In a group that holds only a subshell, dash ignores the subshell's redirections if the group has
// some of its own.
static bool is_redirected_subshell(const List& list) {
    if (list.items.size() != 1) return false;
    const auto* compound = std::get_if<Compound>(&list.items[0].kind);
    if (compound == nullptr) return false;
    return !compound->redirections.empty() ||
           (compound->kind == Compound::Kind::group && is_redirected_subshell(compound->body));
}

Parsed<void> Grammar::group(Node& node) {
    at_++;
    auto body = TRY(list(Stop::brace));
    at_++;
    auto redirections = TRY(compound_redirections());
    if (!redirections.empty() && is_redirected_subshell(body))
        return declined("redirections of a group and of the subshell that it is");
    node.kind =
        Compound{Compound::Kind::group, std::move(body), std::move(redirections), dialect_, {}};
    return {};
}

Parsed<void> Grammar::if_clause(Node& node) {
    If result;
    at_ += 2;  // if
    Assigned after;
    bool first = true, more = true;
    while (more) {
        auto condition = TRY(list(Stop::then));
        if (first) after = assigned_;
        first = false;
        const auto before = assigned_;
        at_ += 4;  // then
        auto body = TRY(list(Stop::branch));
        join(after, assigned_);
        assigned_ = before;
        result.branches.push_back({std::move(condition), std::move(body)});
        more = plain_word() == "elif";
        if (more) at_ += 4;
    }
    if (plain_word() == "else") {
        at_ += 4;
        auto body = TRY(list(Stop::fi));
        result.otherwise = std::move(body);
    }
    at_ += 2;  // fi
    join(after, assigned_);
    assigned_ = std::move(after);
    auto redirections = TRY(compound_redirections());
    result.redirections = std::move(redirections);
    node.kind = std::move(result);
    return {};
}

Parsed<Grammar::Redirections> Grammar::compound_redirections() {
    Redirections result;
    skip_blanks();
    while (at_redirection()) {
        auto next = TRY(redirection());
        if (next.writes_file()) return declined("redirection of a compound command to a file");
        result.push_back(std::move(next));
        skip_blanks();
    }
    // `{ (a) }`: a reserved word may follow directly, but not after a redirection. The enclosing
    // list checks which word.
    bool closed = at_delimiter() ? peek() != '(' : result.empty() && is_reserved(plain_word());
    if (!closed) return declined("syntax");
    return result;
}

Parsed<void> Grammar::simple(Node& node, bool has_input) {
    Simple& result = node.kind.emplace<Simple>();
    result.words.reserve(8);  // most commands have at most 8
    result.line = line_;
    // Number this command before the commands in its substitutions: the order of the text.
    result.position = ++totals_.commands;
    const int printers_before = totals_.line_printers;
    while (true) {
        skip_blanks();
        if (at_redirection()) {
            auto next = TRY(redirection());
            result.redirections.push_back(std::move(next));
        } else if (at_delimiter()) {
            break;
        } else if (result.words.empty() && at_assignment()) {
            values_change_ = !result.assignments.empty();
            auto next = TRY(assignment());
            values_change_ = false;
            result.assignments.push_back(std::move(next));
        } else {
            TRY(word(result.words.emplace_back()));
        }
    }
    if (peek() == '(') return declined("syntax");
    if (result.words.empty() && result.assignments.empty()) return declined("syntax");
    const bool spans_lines = line_ != result.line;
    TRY(resolve(node, has_input));
    const auto* command = std::get_if<Simple>(&node.kind);
    if (!command) totals_.line_printers = printers_before;  // a script: it counts its own lines
    if (command && may_print_its_line(*command)) totals_.line_printers++;
    // If the command spans lines, bash reports another line number than its first.
    if (spans_lines && dialect_ == Dialect::bash && totals_.line_printers > printers_before)
        return declined("newline within a command of bash");
    return {};
}

}  // namespace nlsh
