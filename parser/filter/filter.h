// The filters behind a pipe, as typed arguments. Arguments that can't be imitated are declined.
#pragma once

#include <bitset>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "parser/decline.h"
#include "parser/ip/arguments.h"

namespace nlsh {

// A POSIX regular expression that libc's regcomp reads as GNU grep and sed do (vetted by
// vet_regex).
struct PerlPattern;

struct Pattern {
    std::string text;
    bool extended = false;
    bool ignore_case = false;
    bool fixed = false;  // -F, or no character in it is special
    int groups = 0;
    std::shared_ptr<const PerlPattern> perl = {};  // grep -P (parser/filter/perl.h)
};

struct Grep {
    std::vector<Pattern> patterns;  // a line matches when one of them does
    bool invert = false, count = false, quiet = false, only_matching = false;
    bool whole_line = false, whole_word = false, line_numbers = false, with_filename = false;
    std::optional<uint64_t> limit;  // -m
};

struct SedAddress {
    enum class Kind : uint8_t { none, line, last, pattern };
    Kind kind = Kind::none;
    uint64_t line = 0;
    Pattern pattern;
};

struct SedCommand {
    SedAddress address;
    bool negated = false;
    enum class Kind : uint8_t { substitute, print, remove, quit };
    Kind kind = Kind::print;
    Pattern pattern;
    // The replacement: literal text, or group 0 … 9.
    std::vector<std::variant<std::string, int>> replacement;
    bool global = false, print_after = false;
    uint64_t occurrence = 1;
};

struct Sed {
    std::vector<SedCommand> commands;
    bool quiet = false;
};

struct Tr {
    bool remove = false, squeeze = false;
    std::bitset<256> members;   // -d, and -s alone
    std::string from, to;       // translation; `to` is as long as `from`
    std::bitset<256> squeezed;  // -s
};

// awk '/pattern/ && $2 == "x" {print $1, "x" $2; exit}'
struct Awk {
    struct Item {
        enum class Kind : uint8_t { field, last_field, record, field_count, text, separator };
        Kind kind = Kind::text;
        int field = 0;
        std::string text;
    };
    // Tests a field or NF as text (`pattern`, `text`), or NR or NF as a number.
    struct Test {
        enum class Operator : uint8_t { matches, is_text, equal, less, greater };
        Item subject;
        Operator is = Operator::matches;
        bool negated = false;  // !~, !=, >=, <=
        std::optional<Pattern> pattern;
        std::string text;
        uint64_t number = 0;
    };
    struct Print {
        std::vector<Item> items;  // printf's text as well
        bool line = true;         // print: ends with a newline
    };
    struct Rule {
        std::vector<std::vector<Test>>
            any;  // a line matches if all tests of one of these hold; empty: every line
        std::vector<Print> prints;
        bool exits = false, next = false;  // after the prints
    };
    std::string separator;                     // empty: runs of blanks
    std::optional<Pattern> separator_pattern;  // replaces `separator`
    std::vector<Rule> rules;
};

struct Cut {
    enum class Mode : uint8_t { bytes, fields };
    Mode mode = Mode::fields;
    char delimiter = '\t';
    std::string output_delimiter = {};
    bool only_delimited = false;
    std::vector<std::pair<uint64_t, uint64_t>> ranges;  // sorted, disjoint, from 1
};

struct Head {
    bool bytes = false, all_but = false;
    uint64_t count = 10;
};

struct Tail {
    bool bytes = false, from_start = false;
    uint64_t count = 10;
};

struct Wc {
    bool lines = false, words = false, bytes = false;
};

struct Sort {
    bool numeric = false, reverse = false, unique = false;
};

struct Uniq {
    bool count = false, repeated = false, unique = false;
};

struct Cat {
    bool number = false;
};

using Filter = std::variant<Grep, Sed, Tr, Awk, Cut, Head, Tail, Wc, Sort, Uniq, Cat>;

// The base names that parse_filter knows.
bool is_filter(std::string_view base);
// `arguments` are the words after the program's name.
Parsed<Filter> parse_filter(std::string_view base, Words arguments);

// Whether the filter treats bytes beyond ASCII differently in the locales C and C.UTF-8.
bool depends_on_charset(const Filter& filter);

// One for each program.
Parsed<Filter> parse_grep(Words arguments);
Parsed<Filter> parse_egrep(Words arguments);
Parsed<Filter> parse_fgrep(Words arguments);
Parsed<Filter> parse_sed(Words arguments);
Parsed<Filter> parse_tr(Words arguments);
Parsed<Filter> parse_awk(Words arguments);
Parsed<Filter> parse_cut(Words arguments);
Parsed<Filter> parse_head(Words arguments);
Parsed<Filter> parse_tail(Words arguments);
Parsed<Filter> parse_wc(Words arguments);
Parsed<Filter> parse_sort(Words arguments);
Parsed<Filter> parse_uniq(Words arguments);
Parsed<Filter> parse_cat(Words arguments);

}  // namespace nlsh
