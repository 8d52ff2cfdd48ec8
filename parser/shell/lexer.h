// The tokens of the shell language: blanks, comments, words with their quotes, operators. The
// grammar (grammar.h) and readers of single words use them.
#pragma once

#include <string>
#include <string_view>

#include "parser/decline.h"
#include "parser/shell/tree.h"

namespace nlsh {

// The NAME at the beginning; empty: there is none.
std::string_view shell_name(std::string_view text);

inline constexpr int max_depth = 40;

class Lexer {
  protected:
    explicit Lexer(std::string_view text) : text_(text) {}
    Lexer(const Lexer&) = default;
    ~Lexer() = default;

    // At a `$` or a backquote.
    virtual Parsed<void> expansion(Word& word, bool quoted) = 0;
    // At an unquoted byte that may have a special meaning: a glob, a tilde, a brace, a control
    // byte.
    virtual Parsed<void> special(bool first) = 0;

    Parsed<void> word(Word& word);
    Parsed<void> double_quoted(Word& word);
    static void add_literal(Word& word, bool quoted, std::string_view text);
    // The text in the backquotes ahead; a backslash quotes only itself, a backquote and a dollar.
    Parsed<std::string> backquoted();

    // Blanks, line continuations and comments.
    void skip_blanks();
    void skip_newlines();
    char peek(size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }
    std::string_view rest() const { return text_.substr(at_); }
    bool at_end() const { return at_ >= text_.size(); }
    bool at_delimiter() const;
    bool at_redirection() const;
    bool at_assignment() const;
    // The unquoted word ahead, for comparison with reserved words.
    std::string_view plain_word() const;

    std::string_view text_;
    size_t at_ = 0;
    int line_ = 1;

  private:
    Parsed<void> unquoted(Word& word, size_t start);
};

}  // namespace nlsh
