// Blanks, quotes and words of the shell language.
#include "parser/shell/lexer.h"

#include <array>

#include "parser/ip/refusal.h"
#include "parser/try.h"

namespace nlsh {
namespace {

constexpr std::array<bool, 256> delimiters = [] {
    std::array<bool, 256> bytes{};
    for (const char c : std::string_view(" \t\n;&|<>()"))
        bytes[static_cast<unsigned char>(c)] = true;
    return bytes;
}();

bool is_delimiter(char c) {
    return delimiters[static_cast<unsigned char>(c)];
}

// Bytes without a special meaning in an unquoted word. ('{' is special in bash only.)
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

// Inside double quotes.
size_t end_of_literal(std::string_view text, size_t at) {
    while (at < text.size() && text[at] != '"' && text[at] != '\\' && text[at] != '$' &&
           text[at] != '`' && text[at] != '\n')
        at++;
    return at;
}

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

}  // namespace

std::string_view shell_name(std::string_view text) {
    size_t end = 0;
    while (end < text.size() &&
           (is_letter(text[end]) || (end > 0 && text[end] >= '0' && text[end] <= '9')))
        end++;
    return text.substr(0, end);
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

void Lexer::add_literal(Word& word, bool quoted, std::string_view text) {
    auto& parts = word.parts;
    if (!parts.empty() && parts.back().kind == Part::Kind::literal &&
        parts.back().quoted == quoted) {
        parts.back().text += text;
        return;
    }
    parts.push_back({Part::Kind::literal, quoted, std::string(text), nullptr});
}

void Lexer::skip_blanks() {
    while (true) {
        if (peek() == ' ' || peek() == '\t') {
            at_++;
        } else if (peek() == '\\' && peek(1) == '\n') {
            at_ += 2;
            line_++;
        } else if (peek() == '#') {
            while (!at_end() && peek() != '\n')
                at_++;
        } else {
            return;
        }
    }
}

void Lexer::skip_newlines() {
    skip_blanks();
    while (peek() == '\n') {
        at_++;
        line_++;
        skip_blanks();
    }
}

bool Lexer::at_delimiter() const {
    return at_end() || is_delimiter(text_[at_]);
}

std::string_view Lexer::plain_word() const {
    size_t end = at_;
    while (end < text_.size() && !is_delimiter(text_[end]))
        end++;
    return text_.substr(at_, end - at_);
}

bool Lexer::at_redirection() const {
    if (peek() == '<' || peek() == '>') return true;
    if (peek() == '&' && peek(1) == '>') return true;
    return peek() >= '0' && peek() <= '9' && (peek(1) == '>' || peek(1) == '<');
}

bool Lexer::at_assignment() const {
    const size_t length = shell_name(rest()).size();
    return length > 0 && peek(length) == '=';
}

Parsed<void> Lexer::word(Word& word) {
    const size_t start = at_;
    at_ = end_of_plain_bytes(text_, at_);
    word.plain = at_ > start && at_delimiter();
    if (!word.plain) at_ = start;
    while (!at_delimiter())
        TRY(unquoted(word, start));
    word.source = text_.substr(start, at_ - start);
    return {};
}

// Reads plain characters, a quotation, an expansion, or one special character.
Parsed<void> Lexer::unquoted(Word& word, size_t start) {
    if (const size_t end = end_of_plain_bytes(text_, at_); end > at_) {
        add_literal(word, false, text_.substr(at_, end - at_));
        at_ = end;
        return {};
    }
    char c = text_[at_];
    if (c == '\'') {
        size_t end = text_.find('\'', at_ + 1);
        if (end == std::string_view::npos) return declined("unfinished: a closing ' is missing");
        for (char each : text_.substr(at_, end - at_))
            line_ += each == '\n';
        add_literal(word, true, text_.substr(at_ + 1, end - at_ - 1));
        at_ = end + 1;
        return {};
    }
    if (c == '"') return double_quoted(word);
    if (c == '$' || c == '`') return expansion(word, false);
    if (c == '\\') {
        if (at_ + 1 == text_.size()) return declined("unfinished: what follows the \\ is missing");
        if (peek(1) == '\n')
            line_++;
        else
            add_literal(word, true, text_.substr(at_ + 1, 1));
        at_ += 2;
        return {};
    }
    TRY(special(at_ == start));
    add_literal(word, false, text_.substr(at_, 1));
    at_++;
    return {};
}

Parsed<void> Lexer::double_quoted(Word& word) {
    at_++;
    add_literal(word, true, {});
    while (peek() != '"') {
        if (at_end()) return declined(R"(unfinished: a closing " is missing)");
        if (const size_t end = end_of_literal(text_, at_); end > at_) {
            add_literal(word, true, text_.substr(at_, end - at_));
            at_ = end;
            continue;
        }
        char c = text_[at_];
        if (c == '$' || c == '`') {
            TRY(expansion(word, true));
            continue;
        }
        if (c == '\n') line_++;
        if (c == '\\' && std::string_view("$`\"\\\n").find(peek(1)) != std::string_view::npos &&
            peek(1) != '\0') {
            if (peek(1) == '\n')
                line_++;
            else
                add_literal(word, true, text_.substr(at_ + 1, 1));
            at_ += 2;
            continue;
        }
        add_literal(word, true, text_.substr(at_, 1));
        at_++;
    }
    at_++;
    return {};
}

Parsed<std::string> Lexer::backquoted() {
    std::string text;
    for (at_++; peek() != '`'; at_++) {
        if (at_end()) return declined("unfinished: ` is missing");
        if (peek() == '\\' && (peek(1) == '\\' || peek(1) == '`' || peek(1) == '$')) at_++;
        text += peek();
    }
    at_++;
    return text;
}

}  // namespace nlsh
