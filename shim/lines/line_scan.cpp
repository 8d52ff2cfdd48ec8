#include "shim/lines/line_scan.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace nlsh {
namespace {

using Event = ScannedLine::Event;
using Kind = Event::Kind;

bool name_start(char c) {
    return c == '_' || std::isalpha(static_cast<unsigned char>(c)) != 0;
}

bool name_part(char c) {
    return name_start(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
}

size_t name_length(std::string_view text) {
    if (text.empty() || !name_start(text[0])) return 0;
    return static_cast<size_t>(std::ranges::find_if_not(text, name_part) - text.begin());
}

// Reserved words that a command follows, and the word that closes what some of them open.
struct Reserved {
    std::string_view word;
    std::string_view closed_by;
};
constexpr std::array<Reserved, 12> reserved{{
    {"if", "fi"},
    {"while", "done"},
    {"until", "done"},
    {"{", "}"},
    {"!", ""},
    {"then", ""},
    {"else", ""},
    {"elif", ""},
    {"do", ""},
    {"fi", ""},
    {"done", ""},
    {"}", ""},
}};

constexpr std::array<std::string_view, 4> closing{"fi", "done", "}", "esac"};

class Scan {
  public:
    explicit Scan(std::string_view line) : line_(line) {}

    ScannedLine run() {
        list('\0');
        const bool wants_more = found_.unfinished.empty() && !nesting_.empty();
        if (wants_more) missing(nesting_.back());
        if (joined_) missing("a command");
        return std::move(found_);
    }

  private:
    struct Word {
        std::string text;     // without its quotes
        bool quoted = false;  // a part of it
        bool varies = false;  // an expansion is in it
        size_t assigned = 0;  // the length of NAME in NAME=…
    };

    char at(size_t ahead = 0) const {
        return at_ + ahead < line_.size() ? line_[at_ + ahead] : '\0';
    }
    bool end() const { return at_ >= line_.size(); }
    void missing(std::string_view what) {
        if (found_.unfinished.empty()) found_.unfinished = std::string(what) + " is missing";
    }
    void add(Kind kind, std::string_view text) {
        // What a subshell does to itself ends with it; what it reads doesn't matter where.
        if (subshells_ > 0 && kind != Kind::reference) return;
        const bool always = nesting_.empty() && !after_condition_;
        found_.events.push_back({kind, std::string(text), always});
    }

    void list(char close);
    void separator();
    void simple_word();
    void end_command(bool piped);
    bool reserved_word(const Word& word);
    void loop_over(bool is_case);
    Word word();
    void double_quoted(Word& word);
    void dollar(Word& word);
    void braced();
    void arithmetic();
    void inside(char close);

    std::string_view line_;
    size_t at_ = 0;
    ScannedLine found_;
    std::vector<std::string_view> nesting_;
    std::vector<std::string> names_;  // assigned before the command's name, which may not come
    bool first_ = true;               // a command's name is due
    unsigned subshells_ = 0;
    bool after_condition_ = false;  // && or || stands before
    bool joined_ = false;           // a command must follow
    bool piped_ = false;            // | stands before
};

// A command list up to `close`; its words are the own shell's.
void Scan::list(char close) {
    first_ = true;
    while (!end()) {
        const char c = at();
        if (c == ' ' || c == '\t' || c == '\r') {
            ++at_;
        } else if (c == close && close != '\0' && nesting_.back() == std::string_view(&close, 1)) {
            break;
        } else if (c == '\n' || c == ';' || c == '&' || c == '|') {
            separator();
        } else if (c == '#') {
            at_ = std::min(line_.find('\n', at_), line_.size());
        } else if (c == '(') {
            ++at_;
            joined_ = false;
            inside(')');
        } else if (c == ')') {
            if (nesting_.empty() || nesting_.back() != "esac") missing("the ( of a )");
            ++at_;  // a pattern's of case
            first_ = true;
        } else if (c == '<' || c == '>') {
            if (line_.substr(at_, 2) == "<<") missing("the text of a here-document");
            while (at() == '<' || at() == '>' || at() == '&' || at() == '|')
                ++at_;
            while (at() == ' ' || at() == '\t')
                ++at_;
            word();
        } else {
            simple_word();
        }
    }
    end_command(false);
}

void Scan::end_command(bool piped) {
    // Before a command's name they are that command's alone; in a pipeline a subshell's.
    if (first_ && !piped && !piped_) {
        for (const std::string& name : names_)
            add(Kind::assignment, name);
    }
    names_.clear();
    first_ = true;
}

// ; ;; & && | || and the line's end, if it holds several.
void Scan::separator() {
    const char c = at();
    const bool twice = at(1) == c;
    end_command(c == '|' && !twice);
    at_ += twice ? 2 : 1;
    joined_ = twice ? c == '&' || c == '|' : c == '|';
    piped_ = c == '|' && !twice;
    if (c == '&' && !twice) add(Kind::background, "&");
    after_condition_ = twice && (c == '&' || c == '|');
}

// A word of a simple command: its name, unless that has come, or what stands before it.
void Scan::simple_word() {
    const Word next = word();
    joined_ = false;
    if (!first_) {
        add(Kind::argument, next.text);
    } else if (next.assigned > 0) {
        names_.push_back(next.text.substr(0, next.assigned));
    } else if (at() == '(' && !next.quoted) {
        add(Kind::function, next.text);
        at_ += at(1) == ')' ? 2 : 1;
    } else if (next.quoted || next.varies || !reserved_word(next)) {
        first_ = false;
        if (!piped_) add(next.varies ? Kind::argument : Kind::command, next.text);
    }
}

bool Scan::reserved_word(const Word& word) {
    const std::string_view text = word.text;
    if (text == "for" || text == "case") {
        loop_over(text == "case");
        return true;
    }
    if (std::ranges::find(closing, text) != closing.end()) {
        if (nesting_.empty() || nesting_.back() != text) {
            missing(std::string("the beginning of ") + std::string(text));
            return true;
        }
        nesting_.pop_back();
    }
    const auto found = std::ranges::find(reserved, text, &Reserved::word);
    if (found == reserved.end()) return text == "esac";
    if (!found->closed_by.empty()) nesting_.push_back(found->closed_by);
    return true;
}

// `for NAME in …` and `case WORD in …`: up to what follows them.
void Scan::loop_over(bool is_case) {
    while (at() == ' ' || at() == '\t')
        ++at_;
    const Word subject = word();
    if (!is_case) add(Kind::assignment, subject.text);
    nesting_.push_back(is_case ? "esac" : "done");
    if (!is_case) return;
    while (at() == ' ' || at() == '\t' || at() == '\n')
        ++at_;
    if (line_.substr(at_, 2) == "in") at_ += 2;
}

// In brackets: a subshell, or a command's output.
void Scan::inside(char close) {
    const std::string_view closes = close == ')' ? ")" : "`";
    nesting_.push_back(closes);
    ++subshells_;
    const bool after = std::exchange(after_condition_, false);
    const bool piped = std::exchange(piped_, false);
    const bool first = first_;
    const std::vector<std::string> names = std::exchange(names_, {});
    list(close);
    after_condition_ = after;
    piped_ = piped;
    first_ = first;
    names_ = names;
    --subshells_;
    if (end()) {
        missing(closes);
        return;
    }
    ++at_;
    nesting_.pop_back();
    joined_ = false;
}

Scan::Word Scan::word() {
    Word word;
    while (!end() && !std::string_view(" \t\r\n;&|()<>").contains(at())) {
        const char c = at();
        if (c == '`' && !nesting_.empty() && nesting_.back() == "`") break;
        if (c == '\\') {
            word.quoted = true;
            if (at_ + 1 >= line_.size()) missing("what follows the \\");
            word.text += at(1);
            at_ = std::min(at_ + 2, line_.size());
        } else if (c == '\'') {
            word.quoted = true;
            const size_t close = line_.find('\'', at_ + 1);
            if (close == line_.npos) missing("a closing '");
            word.text += line_.substr(at_ + 1, close - at_ - 1);
            at_ = close == line_.npos ? line_.size() : close + 1;
        } else if (c == '"') {
            double_quoted(word);
        } else if (c == '$') {
            dollar(word);
        } else if (c == '`') {
            ++at_;
            word.varies = true;
            inside('`');
        } else {
            const bool names = c == '=' && !word.quoted && !word.varies && word.assigned == 0;
            if (names && name_length(word.text) == word.text.size())
                word.assigned = word.text.size();
            word.text += c;
            ++at_;
        }
    }
    return word;
}

void Scan::double_quoted(Word& word) {
    word.quoted = true;
    for (++at_; !end() && at() != '"';) {
        if (at() == '\\') {
            word.text += at(1);
            at_ = std::min(at_ + 2, line_.size());
        } else if (at() == '$') {
            dollar(word);
        } else if (at() == '`') {
            ++at_;
            word.varies = true;
            inside('`');
        } else {
            word.text += at();
            ++at_;
        }
    }
    if (end()) missing("a closing \"");
    at_ = std::min(at_ + 1, line_.size());
}

void Scan::dollar(Word& word) {
    ++at_;
    if (const size_t length = name_length(line_.substr(at_)); length > 0) {
        add(Kind::reference, line_.substr(at_, length));
        at_ += length;
    } else if (line_.substr(at_, 2) == "((") {
        arithmetic();
    } else if (at() == '(') {
        ++at_;
        inside(')');
    } else if (at() == '{') {
        braced();
    } else if (std::string_view("?!").contains(at()) && !end()) {
        if (subshells_ == 0) add(Kind::reference, line_.substr(at_, 1));
        ++at_;
    } else {
        word.text += '$';
        return;
    }
    word.varies = true;
}

// ${NAME…}, whose word may hold expansions itself.
void Scan::braced() {
    ++at_;
    if (at() == '#') ++at_;
    const size_t length = name_length(line_.substr(at_));
    const std::string_view name = line_.substr(at_, length);
    if (length > 0) add(Kind::reference, name);
    at_ += length;
    if (at() == '=' || (at() == ':' && at(1) == '=')) add(Kind::assignment, name);
    Word ignored;
    while (!end() && at() != '}') {
        if (at() == '$') {
            dollar(ignored);
        } else if (at() == '"') {
            double_quoted(ignored);
        } else {
            ++at_;
        }
    }
    if (end()) missing("}");
    at_ = std::min(at_ + 1, line_.size());
}

// $(( … )): names need no $ there, and = sets them.
void Scan::arithmetic() {
    size_t close = at_;
    for (int depth = 0; close < line_.size(); ++close) {
        if (line_[close] == '(') ++depth;
        if (line_[close] == ')' && --depth == 0) break;
    }
    const std::string_view text = line_.substr(at_, close - at_);
    if (close == line_.size()) missing("))");
    for (size_t i = 0; i < text.size();) {
        const size_t length = name_length(text.substr(i));
        if (length == 0) {
            ++i;
            continue;
        }
        add(Kind::reference, text.substr(i, length));
        if (text.contains('=')) add(Kind::assignment, text.substr(i, length));
        i += length;
    }
    at_ = std::min(close + 1, line_.size());
}

}  // namespace

ScannedLine scan_line(std::string_view line) {
    return Scan(line).run();
}

}  // namespace nlsh
