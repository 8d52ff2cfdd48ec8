// for and `while read`. A loop over known words is unrolled: the body is parsed once for each word,
// so that a change in it is as certain as a change outside.
#include "parser/shell/grammar.h"
#include "parser/try.h"

namespace nlsh {
namespace {

// Limits the text of unrolled bodies in one line, and so the parser's time and memory.
constexpr size_t unrolled_max = 64 * 1024;  // bytes

}  // namespace

Parsed<std::string> Grammar::loop_variable() {
    const std::string_view name = plain_word();
    if (name.empty() || shell_name(name) != name || special_variable(name))
        return declined("a loop's variable");
    at_ += name.size();
    return std::string(name);
}

Parsed<void> Grammar::for_clause(Node& node) {
    Loop& loop = node.kind.emplace<Loop>();
    at_ += 3;  // for
    skip_blanks();
    auto name = TRY(loop_variable());
    loop.names.push_back(std::move(name));
    skip_newlines();
    if (plain_word() != "in") return declined("for without in");
    at_ += 2;
    TRY(loop_words(loop));
    const bool known = loop.kind == Loop::Kind::for_known_words;
    TRY(known ? unroll(loop) : repeated_body(loop));
    loop.redirections = TRY(compound_redirections());
    return {};
}

Parsed<void> Grammar::loop_words(Loop& loop) {
    bool known = true;
    for (skip_blanks(); !at_delimiter(); skip_blanks()) {
        TRY(word(loop.words.emplace_back()));
        known = known && loop.words.back().literal();
    }
    if (loop.words.empty()) return declined("for without words");
    if (known) loop.kind = Loop::Kind::for_known_words;
    return {};
}

Parsed<void> Grammar::unroll(Loop& loop) {
    const size_t start = at_;
    const int line = line_;
    const Assigned before = assigned_;
    for (const Word& word : loop.words) {
        at_ = start;
        line_ = line;
        assigned_.insert_or_assign(loop.names[0], word.literal());
        if (word.literal()->find_first_of(" \t\n*?[") != std::string::npos ||
            word.literal()->empty())
            totals_.several_words.insert(loop.names[0]);
        TRY(body_of(loop));
        totals_.unrolled += at_ - start;
        if (totals_.unrolled > unrolled_max) return declined("loop too long");
    }
    return {};
}

// The body's assignments hold when it runs again.
Parsed<void> Grammar::repeated_body(Loop& loop) {
    Assigned after = assigned_;
    for (auto& [name, value] : after)
        value.reset();
    assigned_ = after;
    for (const auto& [name, value] : assigned_)
        totals_.several_words.insert(name);
    for (const auto& name : loop.names)
        assigned_.insert_or_assign(name, std::nullopt);
    TRY(body_of(loop));
    assigned_ = std::move(after);  // it may never have run
    return {};
}

Parsed<void> Grammar::body_of(Loop& loop) {
    skip_blanks();
    if (peek() != ';' && peek() != '\n') return declined("syntax");
    if (peek() == ';') at_++;
    skip_newlines();
    if (plain_word() != "do") return declined("syntax");
    at_ += 2;
    auto body = TRY(list(Stop::done));
    at_ += 4;  // done
    loop.bodies.push_back(std::move(body));
    return {};
}

Parsed<void> Grammar::while_clause(Node& node, bool has_input) {
    if (!has_input) return declined("while: reads the caller's input");
    Loop& loop = node.kind.emplace<Loop>();
    loop.kind = Loop::Kind::while_read;
    at_ += 5;  // while
    skip_blanks();
    if (plain_word() != "read") return declined("while of another command than read");
    at_ += 4;
    skip_blanks();
    if (plain_word() == "-r") {
        loop.raw = true;
        at_ += 2;
    }
    for (skip_blanks(); !at_delimiter(); skip_blanks()) {
        auto name = TRY(loop_variable());
        totals_.several_words.insert(name);
        loop.names.push_back(std::move(name));
    }
    if (loop.names.empty()) return declined("read without a name");
    TRY(repeated_body(loop));
    loop.redirections = TRY(compound_redirections());
    return {};
}

}  // namespace nlsh
