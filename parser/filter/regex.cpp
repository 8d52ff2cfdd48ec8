#include "parser/filter/regex.h"

#include <regex.h>

#include <array>

namespace nlsh {
namespace {

constexpr std::array<std::string_view, 12> character_classes = {
    "alpha", "digit", "alnum", "upper", "lower", "space",
    "blank", "punct", "print", "graph", "cntrl", "xdigit"};

bool is_alnum_ascii(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// Within one of these sets, ranges mean the same in every locale.
bool plain_range(char from, char to) {
    auto within = [&](char low, char high) { return low <= from && from <= to && to <= high; };
    return within('a', 'z') || within('A', 'Z') || within('0', '9');
}

class Vetting {
  public:
    Vetting(std::string_view text, bool extended, RegexUser user)
        : text_(text), extended_(extended), user_(user) {}

    // Returns a reason to decline, or nullptr. `special`: the text isn't just literal.
    const char* run();
    bool special = false;
    int groups = 0;

  private:
    const char* bracket();
    const char* escape();
    const char* interval();
    const char* open_group(size_t length);
    const char* close_group(size_t length);
    const char* repeat();
    const char* branch();
    void atom(size_t size = 1);

    std::string_view text_;
    bool extended_;
    RegexUser user_;
    size_t at_ = 0;
    size_t start_ = 0;         // where the current branch starts
    bool repeatable_ = false;  // an atom precedes
    int depth_ = 0;
    // How many atoms libc compiles after it expands repetitions: for each open group, and for the
    // last atom. Nested intervals could keep libc busy for minutes, while all callers wait.
    static constexpr size_t size_max = 2000;
    std::array<size_t, 9> sizes_{};
    size_t last_ = 0;
};

// Counts an atom. A repetition may follow it.
void Vetting::atom(size_t size) {
    last_ = size;
    sizes_[static_cast<size_t>(depth_)] += size;
    repeatable_ = true;
}

const char* Vetting::bracket() {
    special = true;
    size_t i = at_ + 1;
    if (i < text_.size() && text_[i] == '^') i++;
    bool first = true;
    const size_t start = i;
    while (i < text_.size() && (text_[i] != ']' || first)) {
        first = false;
        if (text_[i] == '[' && i + 1 < text_.size() && (text_[i + 1] == '.' || text_[i + 1] == '='))
            return "collating element";
        if (text_[i] == '[' && i + 1 < text_.size() && text_[i + 1] == ':') {
            size_t end = text_.find(":]", i + 2);
            if (end == std::string_view::npos) return "character class";
            std::string_view name = text_.substr(i + 2, end - i - 2);
            bool known = false;
            for (auto each : character_classes)
                known |= each == name;
            if (!known) return "character class";
            i = end + 2;
            continue;
        }
        // sed and awk read some escapes before they compile the expression. In grep a backslash is
        // literal here.
        if (text_[i] == '\\' && user_ != RegexUser::grep) {
            char next = i + 1 < text_.size() ? text_[i + 1] : ']';
            if (user_ == RegexUser::awk || is_alnum_ascii(next) || next == ']' || next == '\\')
                return "backslash in a bracket expression";
        }
        if (i + 2 < text_.size() && text_[i + 1] == '-' && text_[i + 2] != ']') {
            if (!plain_range(text_[i], text_[i + 2])) return "range depends on the locale";
            i += 3;
            continue;
        }
        i++;
    }
    if (i >= text_.size()) return "unmatched [";
    // grep and sed refuse [:digit:], which should be [[:digit:]].
    if (i > start + 1 && text_[start] == ':' && text_[i - 1] == ':') return "character class";
    at_ = i + 1;
    atom();
    return nullptr;
}

const char* Vetting::interval() {
    if (user_ == RegexUser::awk) return "interval";  // literal to mawk
    size_t i = at_;
    auto digits = [&] {
        size_t from = i;
        while (i < text_.size() && text_[i] >= '0' && text_[i] <= '9')
            i++;
        return text_.substr(from, i - from);
    };
    std::string_view low = digits(), high = low;
    if (low.empty() || low.size() > 3) return "interval";
    bool open = false;
    if (i < text_.size() && text_[i] == ',') {
        i++;
        high = digits();
        open = high.empty();
        if (high.size() > 3) return "interval";
    }
    if (!open && std::stoi(std::string(low)) > std::stoi(std::string(high))) return "interval";
    if (!open && std::stoi(std::string(high)) > 255) return "interval";
    std::string_view close = extended_ ? "}" : "\\}";
    if (text_.substr(i, close.size()) != close) return "interval";
    if (!repeatable_) return "interval without an atom";
    sizes_[static_cast<size_t>(depth_)] += last_ * std::stoul(std::string(open ? low : high));
    at_ = i + close.size();
    special = true;
    repeatable_ = false;  // a second repetition is undefined by POSIX
    return nullptr;
}

const char* Vetting::open_group(size_t length) {
    special = true;
    if (++depth_ > 8 || ++groups > 9) return "too many groups";
    sizes_[static_cast<size_t>(depth_)] = 0;
    at_ += length;
    start_ = at_;
    repeatable_ = false;
    return nullptr;
}

const char* Vetting::close_group(size_t length) {
    if (depth_-- == 0) return "unmatched )";
    if (start_ == at_) return "empty branch";
    at_ += length;
    atom(sizes_[static_cast<size_t>(depth_) + 1] + 1);
    start_ = 0;
    return nullptr;
}

const char* Vetting::repeat() {
    if (!repeatable_) return "repetition without an atom";
    special = true;
    at_ += extended_ || text_[at_] == '*' ? 1 : 2;
    repeatable_ = false;
    return nullptr;
}

const char* Vetting::branch() {
    if (start_ == at_) return "empty branch";
    special = true;
    at_ += extended_ ? 1 : 2;
    start_ = at_;
    repeatable_ = false;
    return at_ == text_.size() ? "empty branch" : nullptr;
}

const char* Vetting::escape() {
    if (at_ + 1 >= text_.size()) return "trailing backslash";
    char c = text_[at_ + 1];
    if (!extended_) {
        if (c == '(') return open_group(2);
        if (c == ')') return close_group(2);
        if (c == '|') return branch();
        if (c == '+' || c == '?') return repeat();
        if (c == '{') {
            at_ += 2;
            return interval();
        }
        if (c == '}') return "unmatched \\}";
    }
    constexpr std::string_view gnu = "wWsSbB<>";
    if (gnu.find(c) != std::string_view::npos) {
        if (user_ == RegexUser::awk) return "GNU escape";
        special = true;
        atom();
        repeatable_ = c == 'w' || c == 'W' || c == 's' || c == 'S';
        at_ += 2;
        return nullptr;
    }
    constexpr std::string_view literal = R"(.[]*^$\/-"#,:%@=~&!; )";
    bool known = literal.find(c) != std::string_view::npos;
    if (extended_ && std::string_view("+?(){}|").find(c) != std::string_view::npos) known = true;
    // grep 3.8 warns about a backslash before an ordinary character. awk reads string escapes
    // first.
    if (user_ != RegexUser::sed && c != '/' &&
        std::string_view(R"(.[]*^$\+?(){}|)").find(c) == std::string_view::npos)
        return "stray backslash";
    if (user_ == RegexUser::grep && c == '/') return "stray backslash";
    if (!known) return "escape";
    special = true;
    atom();
    at_ += 2;
    return nullptr;
}

const char* Vetting::run() {
    while (at_ < text_.size()) {
        char c = text_[at_];
        const char* reason = nullptr;
        if (c == '\n' || static_cast<unsigned char>(c) >= 0x80 || c == '\0') return "byte";
        if (c == '[') {
            reason = bracket();
        } else if (c == '\\') {
            reason = escape();
        } else if (c == '*' || (extended_ && (c == '+' || c == '?'))) {
            reason = repeat();
        } else if (extended_ && c == '(') {
            reason = open_group(1);
        } else if (extended_ && c == ')') {
            reason = close_group(1);
        } else if (extended_ && c == '|') {
            reason = branch();
        } else if (extended_ && c == '{') {
            at_++;
            reason = interval();
        } else if (c == '^' || c == '$') {
            bool edge = c == '^' ? at_ == 0 : at_ + 1 == text_.size();
            // In the middle of a basic expression, an anchor is literal in some places only.
            if (!edge && !extended_) return "anchor inside";
            special = true;
            repeatable_ = false;
            at_++;
        } else {
            if (c == '.') special = true;
            atom();
            at_++;
        }
        if (reason) return reason;
        if (sizes_[static_cast<size_t>(depth_)] > size_max) return "large";
    }
    return depth_ != 0 ? "unmatched (" : nullptr;
}

}  // namespace

Parsed<Pattern> vet_regex(std::string_view text, bool extended, bool ignore_case, RegexUser user) {
    Vetting vetting(text, extended, user);
    if (const char* reason = vetting.run()) return declined(std::string("pattern: ") + reason);
    // If libc refuses the pattern, the programs refuse it, too, each with its own message.
    std::string copy(text);
    regex_t compiled;
    if (regcomp(&compiled, copy.c_str(), extended ? REG_EXTENDED : 0) != 0)
        return declined("pattern: refused");
    regfree(&compiled);
    return Pattern{std::move(copy), extended, ignore_case, !vetting.special, vetting.groups};
}

}  // namespace nlsh
