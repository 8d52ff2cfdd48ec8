#include "parser/filter/perl.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <utility>

#include "parser/try.h"

namespace nlsh {
namespace {

using Kind = PerlNode::Kind;
using Sequence = std::vector<PerlNode>;
using Alternatives = std::vector<Sequence>;
using Bytes = std::bitset<256>;

Bytes range(unsigned char from, unsigned char to) {
    Bytes result;
    for (unsigned c = from; c <= to; c++)
        result.set(c);
    return result;
}

// \d, \w …; nothing for another letter.
std::optional<Bytes> class_of(char letter) {
    const char lower = static_cast<char>(letter | 0x20);
    Bytes result;
    if (lower == 'd') result = range('0', '9');
    if (lower == 'w')
        result = range('0', '9') | range('a', 'z') | range('A', 'Z') | range('_', '_');
    if (lower == 's') result = range('\t', '\r') | range(' ', ' ');
    if (result.none()) return {};
    return lower == letter ? result : ~result;
}

class PerlParser {
  public:
    PerlParser(std::string_view text, bool ignore_case) : text_(text), ignore_case_(ignore_case) {}

    Parsed<PerlPattern> parse() {
        auto result = TRY(alternatives());
        if (at_ != text_.size()) return declined("pattern: unmatched )");
        return PerlPattern{std::move(result)};
    }

  private:
    Parsed<Alternatives> alternatives();
    Parsed<PerlNode> atom();
    Parsed<PerlNode> group();
    Parsed<PerlNode> escape();
    Parsed<Bytes> bracket();
    Parsed<void> repeat(PerlNode& node);
    Parsed<void> interval(PerlNode& node);

    char peek(size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }
    bool take(std::string_view symbol) {
        if (!text_.substr(at_).starts_with(symbol)) return false;
        at_ += symbol.size();
        return true;
    }
    Bytes literal(char c) const {
        Bytes result = range(static_cast<unsigned char>(c), static_cast<unsigned char>(c));
        return ignore_case_ ? in_both_cases(result) : result;
    }
    static Bytes in_both_cases(Bytes bytes) {
        for (unsigned c = 'a'; c <= 'z'; c++) {
            const bool either = bytes[c] || bytes[c - 32];
            bytes.set(c, either);
            bytes.set(c - 32, either);
        }
        return bytes;
    }

    std::string_view text_;
    bool ignore_case_;
    size_t at_ = 0;
    int depth_ = 0;
    int open_ended_ = 0;  // repetitions without an end
};

Parsed<Alternatives> PerlParser::alternatives() {
    Alternatives result(1);
    while (at_ < text_.size() && peek() != ')') {
        if (take("|")) {
            result.emplace_back();
            continue;
        }
        auto node = TRY(atom());
        TRY(repeat(node));
        result.back().push_back(std::move(node));
    }
    if (std::ranges::any_of(result, &Sequence::empty)) return declined("pattern: empty branch");
    return result;
}

Parsed<PerlNode> PerlParser::atom() {
    const char c = peek();
    if (static_cast<unsigned char>(c) >= 0x80 || c == '\0' || c == '\n')
        return declined("pattern: byte");
    PerlNode node;
    if (c == '(') return group();
    if (c == '\\') return escape();
    if (c == '[') {
        node.bytes = TRY(bracket());
        return node;
    }
    if (std::string_view("*+?{").contains(c)) return declined("pattern: repetition");
    at_++;
    if (c == '^' || c == '$')
        node.kind = c == '^' ? Kind::start : Kind::end;
    else
        node.bytes = c == '.' ? ~literal('\n') : literal(c);
    return node;
}

Parsed<PerlNode> PerlParser::escape() {
    const char c = peek(1);
    PerlNode node;
    at_ += 2;
    if (c == 'b' || c == 'B') {
        node.kind = c == 'b' ? Kind::boundary : Kind::no_boundary;
    } else if (c == 'K') {
        if (depth_ > 0) return declined("pattern: \\K in a group");
        node.kind = Kind::keep;
    } else if (const auto bytes = class_of(c)) {
        node.bytes = *bytes;
    } else if (c == 't') {
        node.bytes = literal('\t');
    } else if (c > ' ' && c < 0x7f && !std::isalnum(static_cast<unsigned char>(c))) {
        node.bytes = literal(c);
    } else {
        return declined("pattern: escape");
    }
    return node;
}

Parsed<PerlNode> PerlParser::group() {
    PerlNode node{.kind = Kind::group, .bytes = {}, .alternatives = {}};
    at_++;
    bool looks_behind = false;
    if (take("?<=") || take("?<!")) {
        looks_behind = true;
    } else if (take("?=") || take("?!")) {
        node.kind = Kind::look;
    } else if (!take("?:") && (peek() == '?' || peek() == '*')) {
        return declined("pattern: group");
    }
    if (looks_behind) node.kind = Kind::look;
    node.negated = node.kind == Kind::look && text_[at_ - 1] == '!';
    node.behind = looks_behind;
    if (++depth_ > 8) return declined("pattern: nested too deeply");
    node.alternatives = TRY(alternatives());
    depth_--;
    if (!take(")")) return declined("pattern: unmatched (");
    const auto plain = [](const PerlNode& each) {
        return each.kind == Kind::bytes && each.least == 1 && each.most == 1;
    };
    if (looks_behind &&
        (node.alternatives.size() != 1 || !std::ranges::all_of(node.alternatives[0], plain)))
        return declined("pattern: look behind");
    return node;
}

Parsed<Bytes> PerlParser::bracket() {
    at_++;
    const bool negated = take("^");
    Bytes result;
    bool first = true;
    for (; peek() != ']' || first; first = false) {
        const char c = peek();
        if (c == '\0' || c == '[' || static_cast<unsigned char>(c) >= 0x80)
            return declined("pattern: bracket expression");
        if (c == ']') return declined("pattern: bracket expression");
        at_++;
        if (c == '\\') {
            const char next = peek();
            at_++;
            if (const auto bytes = class_of(next)) {
                if (peek() == '-' && peek(1) != ']') return declined("pattern: range");
                result |= *bytes;
                continue;
            }
            if (next <= ' ' || next >= 0x7f || std::isalnum(static_cast<unsigned char>(next)) ||
                (peek() == '-' && peek(1) != ']'))
                return declined("pattern: bracket expression");
            result |= literal(next);
            continue;
        }
        if (peek() == '-' && peek(1) != ']') {
            const char last = peek(1);
            const auto within = [&](char low, char high) {
                return low <= c && c <= last && last <= high;
            };
            if (!within('a', 'z') && !within('A', 'Z') && !within('0', '9'))
                return declined("pattern: range");
            result |= range(static_cast<unsigned char>(c), static_cast<unsigned char>(last));
            at_ += 2;
            continue;
        }
        result |= literal(c);
    }
    at_++;
    if (ignore_case_) result = in_both_cases(result);
    return negated ? ~result : result;
}

Parsed<void> PerlParser::interval(PerlNode& node) {
    const auto number = [&]() -> std::optional<uint32_t> {
        const size_t from = at_;
        while (peek() >= '0' && peek() <= '9')
            at_++;
        if (at_ == from || at_ - from > 2) return {};
        return static_cast<uint32_t>(std::stoul(std::string(text_.substr(from, at_ - from))));
    };
    const auto least = number();
    if (!least) return declined("pattern: interval");
    node.least = node.most = *least;
    if (take(",")) {
        node.most = perl_unbounded;
        if (peek() != '}') {
            const auto most = number();
            if (!most || *most < *least) return declined("pattern: interval");
            node.most = *most;
        }
    }
    if (!take("}")) return declined("pattern: interval");
    return {};
}

Parsed<void> PerlParser::repeat(PerlNode& node) {
    if (take("*"))
        node.least = 0, node.most = perl_unbounded;
    else if (take("+"))
        node.most = perl_unbounded;
    else if (take("?"))
        node.least = 0;
    else if (take("{"))
        TRY(interval(node));
    else
        return {};
    if (node.kind != Kind::bytes && node.kind != Kind::group)
        return declined("pattern: repetition");
    // The group may match nothing, or in several ways.
    if (node.kind == Kind::group && (node.least != 0 || node.most != 1))
        return declined("pattern: repeated group");
    if (take("?")) node.lazy = true;
    if (peek() == '+' || peek() == '*' || peek() == '?' || peek() == '{')
        return declined("pattern: repetition");
    if (node.most == perl_unbounded && ++open_ended_ > 4) return declined("pattern: repetitions");
    return {};
}

}  // namespace

Parsed<Pattern> parse_perl(std::string_view text, bool ignore_case) {
    constexpr size_t longest = 200;  // its nodes are on the stack while it is matched
    if (text.empty() || text.size() > longest) return declined("pattern: size");
    auto pattern = TRY(PerlParser(text, ignore_case).parse());
    return Pattern{.text = std::string(text),
                   .extended = true,
                   .ignore_case = ignore_case,
                   .perl = std::make_shared<const PerlPattern>(std::move(pattern))};
}

bool is_perl(const Filter& filter) {
    const auto* grep = std::get_if<Grep>(&filter);
    return grep != nullptr && std::ranges::any_of(grep->patterns, [](const Pattern& each) {
               return each.perl != nullptr;
           });
}

}  // namespace nlsh
