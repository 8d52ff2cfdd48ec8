// test and [, of up to four words.
#include <fmt/format.h>
#include <sys/stat.h>

#include <array>
#include <cctype>
#include <charconv>
#include <optional>

#include "backend/shell/evaluator.h"

namespace nlsh {
namespace {

constexpr int failed = 2;  // neither true nor false

bool is_binary(std::string_view word) {
    return word == "=" || word == "!=" || word == "-eq" || word == "-ne" || word == "-lt" ||
           word == "-le" || word == "-gt" || word == "-ge";
}

// dash's operators, some of which only expansions can produce.
bool is_unary(std::string_view word) {
    return word.size() == 2 && word[0] == '-' &&
           std::string_view("bcdefghkLnOprSstuwxzG").find(word[1]) != std::string_view::npos;
}

class Test {
  public:
    Test(const BuiltinCall& call, const Shell& shell, Context& context, Files& files)
        : call_(call), shell_(shell), context_(context), files_(files) {}

    int run(std::span<const std::string> words);

  private:
    int two(const std::string& operation, const std::string& word);
    int three(const std::string& left, const std::string& operation, const std::string& right);
    std::optional<long long> number(const std::string& text);
    int error(std::string_view dash, std::string_view bash);
    bool dash() const { return call_.builtin.flavour == Flavour::dash; }

    const BuiltinCall& call_;
    const Shell& shell_;
    Context& context_;
    Files& files_;
};

int Test::error(std::string_view dash_text, std::string_view bash_text) {
    context_.err->write(fmt::format("{}{}: {}\n", error_prefix(shell_, call_.line), call_.words[0],
                                    dash() ? dash_text : bash_text));
    return failed;
}

// strtoimax, with blanks around the number.
std::optional<long long> Test::number(const std::string& text) {
    std::string_view rest(text);
    auto blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
    while (!rest.empty() && blank(rest.front()))
        rest.remove_prefix(1);
    while (!rest.empty() && blank(rest.back()))
        rest.remove_suffix(1);
    if (rest.starts_with('+') && !rest.starts_with("+-")) rest.remove_prefix(1);
    long long value = 0;
    auto [end, problem] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (problem == std::errc() && end == rest.data() + rest.size()) return value;
    error(fmt::format("Illegal number: {}", text),
          fmt::format("{}: integer expression expected", text));
    return std::nullopt;
}

// The last word of the expression that dash has read when it finds excess words.
const std::string& last_of_expression(std::span<const std::string> words) {
    while (words.size() > 3 && words[0] == "!")
        words = words.subspan(1);
    return words[is_binary(words[1]) ? 2 : is_unary(words[0]) ? 1 : 0];
}

int Test::two(const std::string& operation, const std::string& word) {
    if (operation == "!") return word.empty() ? 0 : 1;
    if (operation == "-n") return word.empty() ? 1 : 0;
    if (operation == "-z") return word.empty() ? 0 : 1;
    if (operation == "-f" || operation == "-e" || operation == "-d") {
        auto mode = files_.mode(word);
        if (!mode) return 1;
        if (operation == "-e") return 0;
        return (operation == "-f" ? S_ISREG(*mode) : S_ISDIR(*mode)) ? 0 : 1;
    }
    // Only after an expansion to no word, or to several.
    if (is_binary(word))
        return error(fmt::format("{}: argument expected", word),
                     fmt::format("{}: unary operator expected", operation));
    return error(fmt::format("{}: unexpected operator", operation),
                 fmt::format("{}: unary operator expected", operation));
}

int Test::three(const std::string& left, const std::string& operation, const std::string& right) {
    if (operation == "=" || operation == "==") return left == right ? 0 : 1;
    if (operation == "!=") return left != right ? 0 : 1;
    struct Comparison {
        std::string_view name;
        bool (*holds)(long long, long long);
    };
    static constexpr std::array<Comparison, 6> comparisons = {
        {{"-eq", [](long long a, long long b) { return a == b; }},
         {"-ne", [](long long a, long long b) { return a != b; }},
         {"-lt", [](long long a, long long b) { return a < b; }},
         {"-le", [](long long a, long long b) { return a <= b; }},
         {"-gt", [](long long a, long long b) { return a > b; }},
         {"-ge", [](long long a, long long b) { return a >= b; }}}};
    for (const auto& each : comparisons) {
        if (each.name != operation) continue;
        auto a = number(left);
        if (!a) return failed;
        auto b = number(right);
        if (!b) return failed;
        return each.holds(*a, *b) ? 0 : 1;
    }
    if (left == "!") {
        int inner = two(operation, right);
        return inner == failed ? failed : 1 - inner;
    }
    if (left == "(" || left == "-t") context_.fall_back("test: words");
    return error(fmt::format("{}: unexpected operator", is_unary(left) ? operation : left),
                 fmt::format("{}: binary operator expected", operation));
}

int Test::run(std::span<const std::string> words) {
    switch (words.size()) {
        case 0:
            return 1;
        case 1:
            return words[0].empty() ? 1 : 0;
        case 2:
            return two(words[0], words[1]);
        case 3:
            return three(words[0], words[1], words[2]);
        default:
            break;
    }
    if (words.size() == 4 && words[0] == "!") {
        int inner = three(words[1], words[2], words[3]);
        return inner == failed ? failed : 1 - inner;
    }
    // Only after an expansion to several words.
    context_.fall_back("test: words");
    return error(fmt::format("{}: unexpected operator", last_of_expression(words)),
                 "too many arguments");
}

}  // namespace

int run_test(const BuiltinCall& call, const Shell& shell, Context& context, Files& files) {
    return Test(call, shell, context, files).run(call.words.subspan(1));
}

}  // namespace nlsh
