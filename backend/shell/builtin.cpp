// : true false exit echo printf.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "backend/shell/evaluator.h"

namespace nlsh {
namespace {

// The escapes of echo: always for dash, with -e for bash and coreutils.
struct Unescaped {
    std::string text;
    bool last = false;  // \c: print no more
    bool known = true;  // false: the character depends on the locale, which we don't know
};

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

Unescaped unescape(std::string_view word, const Builtin& echo) {
    return Reader(word, echo).run();
}

// Writes as the builtin does, and reports a failure with the builtin's message.
int write_text(const BuiltinCall& call, const Shell& shell, Context& context,
               const std::string& text) {
    if (text.empty() || (context.out->write(text) && context.out->error() == 0)) return 0;
    const int error = context.out->error();
    if (error == 0) return 0;
    context.err->write(
        write_error(call.builtin.flavour, error_prefix(shell, call.line), call.words[0], error));
    return 1;
}

bool is_echo_option(const std::string& word, Flavour flavour) {
    if (flavour == Flavour::dash) return word == "-n";
    return word.size() > 1 && word[0] == '-' &&
           word.find_first_not_of("neE", 1) == std::string::npos;
}

int run_echo(const BuiltinCall& call, const Shell& shell, Context& context) {
    const Flavour flavour = call.builtin.flavour;
    auto words = call.words.subspan(1);
    if (flavour == Flavour::program && words.size() == 1 &&
        (words[0] == "--help" || words[0] == "--version") && context.fall_back("echo: option"))
        return 1;
    bool newline = true, escapes = flavour == Flavour::dash;
    while (!words.empty() && is_echo_option(words[0], flavour)) {
        for (const char option : words[0].substr(1)) {
            if (option == 'n') newline = false;
            if (option != 'n') escapes = option == 'e';
        }
        words = words.subspan(1);
        if (flavour == Flavour::dash) break;
    }
    std::string text;
    for (size_t i = 0; i < words.size(); i++) {
        if (i > 0) text += ' ';
        if (!escapes) {
            text += words[i];
            continue;
        }
        const Unescaped unescaped = unescape(words[i], call.builtin);
        if (!unescaped.known && context.fall_back("echo: a character of the locale")) return 1;
        text += unescaped.text;
        if (unescaped.last) {
            newline = false;
            break;
        }
    }
    if (newline) text += '\n';
    return write_text(call, shell, context, text);
}

int run_printf(const BuiltinCall& call, const Shell& shell, Context& context) {
    const std::string& format = call.words[1];
    auto arguments = call.words.subspan(2);
    std::string text;
    bool consumed = true;
    do {
        consumed = false;
        for (size_t i = 0; i < format.size(); i++) {
            if (format[i] == '\\') {
                char c = format[++i];
                text += c == 'n' ? '\n' : c == 't' ? '\t' : c;
            } else if (format[i] != '%') {
                text += format[i];
            } else if (char conversion = format[++i]; conversion == '%') {
                text += '%';
            } else if (arguments.empty()) {
                if (conversion == 'd') text += '0';
            } else {
                const std::string& argument = arguments[0];
                if (conversion == 'd' && !is_printf_number(argument) &&
                    context.fall_back("printf %d of no number"))
                    return 1;
                text += argument == "-0" && conversion == 'd' ? "0" : argument;
                arguments = arguments.subspan(1);
                consumed = true;
            }
        }
    } while (!arguments.empty() && consumed);
    return write_text(call, shell, context, text);
}

// set -- WORDS
int run_set(const BuiltinCall& call, Shell& shell) {
    const auto words = call.words.subspan(2);
    for (size_t i = 0; i < 9; i++)
        shell.variables[std::string(1, static_cast<char>('1' + i))] =
            i < words.size() ? words[i] : std::string();
    shell.variables["#"] = fmt::format_int(words.size()).str();
    return 0;
}

int run_exit(const BuiltinCall& call, Shell& shell, Context& context) {
    shell.exited = true;
    if (call.words.size() == 1) return shell.status;
    const std::string& text = call.words[1];
    if (!text.empty() && text.size() <= 9 &&
        std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; }))
        return std::stoi(text) & 0xff;
    bool dash = call.builtin.flavour == Flavour::dash;
    context.err->write(
        dash ? fmt::format("{}exit: Illegal number: {}\n", error_prefix(shell, call.line), text)
             : fmt::format("{}exit: {}: numeric argument required\n",
                           error_prefix(shell, call.line), text));
    return 2;
}

}  // namespace

int run_builtin(const BuiltinCall& call, Shell& shell, Context& context, Files& files) {
    switch (call.builtin.kind) {
        case BuiltinKind::colon:
        case BuiltinKind::true_:
            return 0;
        case BuiltinKind::false_:
            return 1;
        case BuiltinKind::set:
            return run_set(call, shell);
        case BuiltinKind::exit:
            return run_exit(call, shell, context);
        case BuiltinKind::echo:
            return run_echo(call, shell, context);
        case BuiltinKind::printf:
            return run_printf(call, shell, context);
        case BuiltinKind::test: {
            BuiltinCall inner = call;
            if (call.builtin.bracket) inner.words = call.words.first(call.words.size() - 1);
            return run_test(inner, shell, context, files);
        }
    }
    return 0;
}

}  // namespace nlsh
