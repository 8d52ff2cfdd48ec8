// : true false exit echo printf.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "backend/shell/escapes.h"
#include "backend/shell/evaluator.h"

namespace nlsh {

namespace {

// Writes as the builtin does, and reports a failure with the builtin's message.
int write_text(const BuiltinCall& call, const Shell& shell, Context& context,
               const std::string& text) {
    if (text.empty() || (context.out->write(text) && context.out->error() == 0)) return 0;
    int error = context.out->error();
    if (error == 0) return 0;
    const std::string& name = call.words[0];
    switch (call.builtin.flavour) {
        case Flavour::dash:
            context.err->write(
                fmt::format("{}{}: {}: I/O error\n", error_prefix(shell, call.line), name, name));
            break;
        case Flavour::bash:
            context.err->write(fmt::format("{}{}: write error: {}\n",
                                           error_prefix(shell, call.line), name, strerror(error)));
            break;
        case Flavour::program:
            context.err->write(fmt::format("{}: write error: {}\n", name, strerror(error)));
            break;
    }
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
