#include "backend/shell/escapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace nlsh {

namespace {

// Reads from left to right, and handles each escape by its letter.
class Reader {
  public:
    Reader(std::string_view word, const Builtin& echo) : rest_(word), echo_(echo) {}

    Unescaped run() {
        while (!rest_.empty() && !result_.last) {
            const size_t plain = std::min(rest_.find('\\'), rest_.size());
            result_.text += rest_.substr(0, plain);
            rest_.remove_prefix(plain);
            if (rest_.empty()) break;
            rest_.remove_prefix(1);
            if (rest_.empty()) {
                result_.text += '\\';
            } else {
                const char letter = rest_.front();
                rest_.remove_prefix(1);
                escape(letter);
            }
        }
        return std::move(result_);
    }

  private:
    void escape(char letter) {
        constexpr std::string_view letters = "abefnrtv\\", values = "\a\b\x1b\f\n\r\t\v\\";
        const bool bash = echo_.flavour == Flavour::bash, dash = echo_.flavour == Flavour::dash;
        if (const size_t known = letters.find(letter); known != letters.npos) {
            result_.text += values[known];
        } else if (letter == 'c') {
            result_.last = true;
        } else if (letter == '0') {
            result_.text += static_cast<char>(digits(8, 3));
        } else if (letter >= '1' && letter <= '7' && !bash) {
            const uint32_t first = static_cast<uint32_t>(letter - '0');
            const size_t before = rest_.size();
            const uint32_t more = digits(8, 2);
            result_.text += static_cast<char>((first << (3 * (before - rest_.size()))) | more);
        } else if (letter == 'E' && bash) {
            result_.text += '\x1b';
        } else if (letter == 'x' && !dash && digit(16)) {
            result_.text += static_cast<char>(digits(16, 2));
        } else if ((letter == 'u' || letter == 'U') && bash && digit(16)) {
            character(digits(16, letter == 'u' ? 4 : 8));
        } else {
            result_.text += '\\';
            result_.text += letter;
        }
    }

    // The next character's value as a digit, or nothing.
    std::optional<uint32_t> digit(uint32_t base) const {
        constexpr std::string_view all = "0123456789abcdef";
        if (rest_.empty()) return {};
        const char lower = rest_.front() >= 'A' && rest_.front() <= 'F'
                               ? static_cast<char>(rest_.front() - 'A' + 'a')
                               : rest_.front();
        const size_t value = all.find(lower);
        if (value >= base) return {};
        return static_cast<uint32_t>(value);
    }

    uint32_t digits(uint32_t base, int most) {
        uint32_t value = 0;
        for (int i = 0; i < most; ++i) {
            const auto next = digit(base);
            if (!next) break;
            value = value * base + *next;
            rest_.remove_prefix(1);
        }
        return value;
    }

    // As bash writes it. Omits codes of more than 31 bits.
    void character(uint32_t code) {
        if (code > 0x7fffffff) return;
        if (code < 0x80) {
            result_.text += static_cast<char>(code);
        } else if (echo_.charset == Charset::utf8) {
            utf8(code);
        } else {
            result_.known = echo_.charset == Charset::ascii;
            result_.text +=
                code <= 0xffff ? fmt::format("\\u{:04X}", code) : fmt::format("\\U{:08X}", code);
        }
    }

    // The original UTF-8: up to six bytes, any code.
    void utf8(uint32_t code) {
        int more = 1;  // bytes after the first
        while (more < 5 && code >> (5 * more + 6) != 0)
            ++more;
        const uint32_t mark = (0xff00u >> (more + 1)) & 0xff;
        result_.text += static_cast<char>(mark | (code >> (6 * more)));
        while (more-- > 0)
            result_.text += static_cast<char>(0x80 | ((code >> (6 * more)) & 0x3f));
    }

    std::string_view rest_;
    const Builtin& echo_;
    Unescaped result_;
};

}  // namespace

Unescaped unescape(std::string_view word, const Builtin& echo) {
    return Reader(word, echo).run();
}

}  // namespace nlsh
