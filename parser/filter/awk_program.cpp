#include "parser/filter/awk_program.h"

#include <algorithm>
#include <utility>

#include "parser/filter/options.h"
#include "parser/filter/regex.h"
#include "parser/try.h"

namespace nlsh {
namespace {

using Item = Awk::Item;
using Test = Awk::Test;

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Whether the text is certainly no number: it has no digit and can't be inf or nan, or has a byte
// that no number has. (awk compares two number-like texts as numbers.)
bool is_no_number(std::string_view text) {
    if (text.empty()) return false;
    return text.find_first_of("0123456789nN") == text.npos ||
           text.find_first_not_of("0123456789+-.eExXaAbBcCdDfFiInNtTyYpP \t\n") != text.npos ||
           std::ranges::count(text, '.') > 1;
}

class AwkProgram {
  public:
    AwkProgram(std::string_view text, const AwkVariables& variables)
        : text_(text), variables_(variables) {}
    Parsed<std::vector<Awk::Rule>> parse();

  private:
    using Alternatives = std::vector<std::vector<Test>>;

    Parsed<Awk::Rule> rule();
    Parsed<Alternatives> condition();
    Parsed<Test> test();
    Parsed<Test> comparison(Test test, bool of_number);
    Parsed<Pattern> pattern();
    Parsed<void> actions(Awk::Rule& rule);
    Parsed<void> action(Awk::Rule& rule);
    Parsed<std::vector<Item>> items(bool enclosed);
    Parsed<std::vector<Item>> formatted();
    Parsed<Item> item();
    Parsed<std::string> string();
    Parsed<uint64_t> number();
    Parsed<std::string> compared_text();

    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    void skip_blanks() {
        while (peek() == ' ' || peek() == '\t')
            at_++;
    }
    void skip_newlines() {
        for (skip_blanks(); peek() == '\n'; skip_blanks())
            at_++;
    }
    bool take(std::string_view symbol) {
        skip_blanks();
        if (text_.substr(at_, symbol.size()) != symbol) return false;
        at_ += symbol.size();
        return true;
    }
    // A whole name.
    std::string_view name() {
        skip_blanks();
        const size_t from = at_;
        while (is_letter(peek()) || (at_ > from && is_digit(peek())))
            at_++;
        return text_.substr(from, at_ - from);
    }
    bool take_name(std::string_view wanted) {
        const size_t from = at_;
        if (name() == wanted) return true;
        at_ = from;
        return false;
    }
    // Whether the next word ends a statement.
    bool at_end_of_action() {
        skip_blanks();
        return peek() == '}' || peek() == ';' || peek() == '\n';
    }

    std::string_view text_;
    const AwkVariables& variables_;
    size_t at_ = 0;
};

Parsed<uint64_t> AwkProgram::number() {
    skip_blanks();
    const size_t from = at_;
    while (is_digit(peek()))
        at_++;
    const auto text = text_.substr(from, at_ - from);
    if (is_letter(peek()) || peek() == '.' || (text.size() > 1 && text[0] == '0'))
        return declined("number");
    return parse_count(text);
}

Parsed<std::string> AwkProgram::string() {
    std::string result;
    while (peek() != '"') {
        char c = peek();
        if (c == '\0' || c == '\n' || static_cast<unsigned char>(c) >= 0x80)
            return declined("string");
        at_++;
        if (c == '\\') {
            constexpr std::string_view letters = "nt\\\"/", values = "\n\t\\\"/";
            size_t found = letters.find(peek());
            if (found == std::string_view::npos) return declined("escape in a string");
            c = values[found];
            at_++;
        }
        result += c;
    }
    at_++;
    return result;
}

Parsed<Item> AwkProgram::item() {
    using Kind = Item::Kind;
    if (take("\"")) {
        auto text = TRY(string());
        return Item{Kind::text, 0, std::move(text)};
    }
    if (take("$")) {
        if (take_name("NF")) return Item{Kind::last_field, 0, {}};
        auto field = number();
        if (!field || *field > 10000) return declined("field");
        return Item{Kind::field, static_cast<int>(*field), {}};
    }
    const std::string_view word = name();
    if (word == "NR") return Item{Kind::record, 0, {}};
    if (word == "NF") return Item{Kind::field_count, 0, {}};
    const auto variable = variables_.find(word);
    skip_blanks();
    if (variable == variables_.end() || peek() == '(' || peek() == '[')
        return declined("expression");
    return Item{Kind::text, 0, variable->second};
}

// `$1, "x" $2`: awk joins adjacent items. No operator may stand between them.
Parsed<std::vector<Item>> AwkProgram::items(bool enclosed) {
    std::vector<Item> result;
    const auto ended = [&] { return enclosed ? take(")") : at_end_of_action(); };
    while (true) {
        auto next = TRY(item());
        result.push_back(std::move(next));
        if (ended()) return result;
        if (take(",")) result.push_back({Item::Kind::separator, 0, {}});
    }
}

// `printf "%s: %s\n", $1, $2`: %s and %% only.
Parsed<std::vector<Item>> AwkProgram::formatted() {
    const bool enclosed = take("(");
    if (!take("\"")) return declined("printf: format");
    const auto format = TRY(string());
    std::vector<std::vector<Item>> values;
    if (take(",")) {
        auto all = TRY(items(enclosed));
        values.emplace_back();
        for (Item& each : all) {
            if (each.kind == Item::Kind::separator)
                values.emplace_back();
            else
                values.back().push_back(std::move(each));
        }
    } else if (enclosed && !take(")")) {
        return declined("printf");
    }
    std::vector<Item> result;
    size_t used = 0;
    std::string literal;
    for (size_t i = 0; i < format.size(); i++) {
        if (format[i] != '%') {
            literal += format[i];
        } else if (format.substr(i).starts_with("%%")) {
            literal += format[i++];
        } else if (format.substr(i).starts_with("%s") && used < values.size()) {
            result.push_back({Item::Kind::text, 0, std::exchange(literal, {})});
            result.insert(result.end(), values[used].begin(), values[used].end());
            used++;
            i++;
        } else {
            return declined("printf: format");
        }
    }
    if (used != values.size()) return declined("printf: values");
    result.push_back({Item::Kind::text, 0, std::move(literal)});
    return result;
}

Parsed<Pattern> AwkProgram::pattern() {
    std::string text;
    while (peek() != '/') {
        if (peek() == '\0' || peek() == '\n') return declined("pattern");
        if (peek() == '\\') text += text_[at_++];
        if (peek() == '\0') return declined("pattern");
        text += text_[at_++];
    }
    at_++;
    auto result = TRY(vet_regex(text, true, false, RegexUser::awk));
    if (text.empty()) return declined("empty pattern");
    return result;
}

Parsed<std::string> AwkProgram::compared_text() {
    if (take("\"")) return string();
    const auto variable = variables_.find(name());
    if (variable == variables_.end()) return declined("condition");
    if (!is_no_number(variable->second)) return declined("a variable that may be a number");
    return variable->second;
}

Parsed<Test> AwkProgram::comparison(Test test, bool of_number) {
    using Operator = Test::Operator;
    constexpr std::pair<std::string_view, std::pair<Operator, bool>> operators[] = {
        {"==", {Operator::equal, false}}, {"!=", {Operator::equal, true}},
        {">=", {Operator::less, true}},   {"<=", {Operator::greater, true}},
        {"<", {Operator::less, false}},   {">", {Operator::greater, false}}};
    const auto found =
        std::ranges::find_if(operators, [&](const auto& row) { return take(row.first); });
    if (found == std::end(operators)) return declined("condition");
    std::tie(test.is, test.negated) = found->second;
    if (of_number) {
        test.number = TRY(number());
        return test;
    }
    if (test.is != Operator::equal) return declined("condition");
    test.is = Operator::is_text;
    test.text = TRY(compared_text());
    return test;
}

Parsed<Test> AwkProgram::test() {
    Test result;
    result.subject = {Item::Kind::field, 0, {}};
    const bool negated = take("!");
    if (take("/")) {
        result.negated = negated;
        result.pattern = TRY(pattern());
        return result;
    }
    if (negated) return declined("condition");
    result.subject = TRY(item());
    if (result.subject.kind == Item::Kind::text) return declined("condition");
    const bool of_number =
        result.subject.kind == Item::Kind::record || result.subject.kind == Item::Kind::field_count;
    const bool differs = take("!~");
    if (!differs && !take("~")) return comparison(std::move(result), of_number);
    if (of_number || !take("/")) return declined("condition");
    result.negated = differs;
    result.pattern = TRY(pattern());
    return result;
}

Parsed<AwkProgram::Alternatives> AwkProgram::condition() {
    Alternatives any(1);
    while (true) {
        auto next = TRY(test());
        any.back().push_back(std::move(next));
        if (take("||"))
            any.emplace_back();
        else if (!take("&&"))
            return any;
    }
}

Parsed<void> AwkProgram::action(Awk::Rule& rule) {
    const std::string_view word = name();
    if (word == "print") {
        Awk::Print print;
        if (at_end_of_action()) {
            print.items.push_back({Item::Kind::field, 0, {}});
        } else {
            const bool enclosed = take("(");
            print.items = TRY(items(enclosed));
        }
        rule.prints.push_back(std::move(print));
    } else if (word == "printf") {
        auto items = TRY(formatted());
        rule.prints.push_back({std::move(items), false});
    } else if (word == "exit" || word == "next") {
        (word == "exit" ? rule.exits : rule.next) = true;
    } else {
        return declined("statement");
    }
    if (!at_end_of_action()) return declined("statement");
    return {};
}

// Reads from behind `{` to the matching `}`.
Parsed<void> AwkProgram::actions(Awk::Rule& rule) {
    while (true) {
        skip_newlines();
        if (take("}")) return {};
        if (rule.exits || rule.next) return declined("statement");
        TRY(action(rule));
        take(";");
    }
}

Parsed<Awk::Rule> AwkProgram::rule() {
    Awk::Rule result;
    skip_blanks();
    if (peek() != '{') result.any = TRY(condition());
    if (!take("{")) {
        skip_blanks();
        if (peek() != '\0' && peek() != ';' && peek() != '\n') return declined("program");
        result.prints.push_back({{{Item::Kind::field, 0, {}}}, true});
        return result;
    }
    const size_t start = at_;
    skip_newlines();
    if (result.any.empty() && take_name("if") && take("(")) {
        result.any = TRY(condition());
        if (!take(")")) return declined("condition");
        const bool enclosed = take("{");
        TRY(actions(result));  // up to the inner brace, or the only one
        if (enclosed) {
            skip_newlines();
            take(";");
            if (!take("}")) return declined("statement");
        } else if (result.prints.size() + (result.exits ? 1 : 0) + (result.next ? 1 : 0) != 1) {
            return declined("statement");  // the condition covers only the first statement
        }
        return result;
    }
    at_ = start;
    TRY(actions(result));
    if (result.prints.empty() && !result.exits && !result.next) return declined("statement");
    return result;
}

Parsed<std::vector<Awk::Rule>> AwkProgram::parse() {
    std::vector<Awk::Rule> rules;
    while (true) {
        skip_newlines();
        if (at_ == text_.size()) break;
        if (peek() == ';') return declined("an empty statement");
        auto next = TRY(rule());
        rules.push_back(std::move(next));
        skip_blanks();
        take(";");
    }
    if (rules.empty()) return declined("no rule");
    return rules;
}

// Each name stands between blanks.
constexpr std::string_view own_names =
    " "
    "BEGIN END NF NR FNR FS OFS RS ORS FILENAME SUBSEP RSTART RLENGTH CONVFMT OFMT ENVIRON ARGC "
    "ARGV print printf exit next nextfile if else while for do in break continue delete return "
    "getline function func length substr index split sub gsub match sprintf sin cos atan2 exp "
    "log sqrt int rand srand system close fflush tolower toupper mktime strftime systime gensub "
    "switch case default BEGINFILE ENDFILE ARGIND BINMODE ERRNO FIELDWIDTHS FPAT FUNCTAB "
    "IGNORECASE LINT PREC PROCINFO ROUNDMODE RT SYMTAB TEXTDOMAIN and or xor asort asorti "
    "bindtextdomain compl dcgettext dcngettext isarray lshift rshift mkbool patsplit strtonum "
    "typeof ";

}  // namespace

bool is_awk_variable(std::string_view name) {
    return !name.empty() && is_letter(name[0]) &&
           std::ranges::all_of(name, [](char c) { return is_letter(c) || is_digit(c); }) &&
           !own_names.contains(" " + std::string(name) + " ");
}

Parsed<std::vector<Awk::Rule>> parse_awk_program(std::string_view text,
                                                 const AwkVariables& variables) {
    return AwkProgram(text, variables).parse();
}

}  // namespace nlsh
