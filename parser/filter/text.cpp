// cut, head, tail, wc, sort, uniq, cat.
#include <algorithm>
#include <array>

#include "parser/filter/filter.h"
#include "parser/filter/options.h"
#include "parser/try.h"

namespace nlsh {
namespace {

// Standard input only: no operand but "-".
bool reads_stdin(const ScannedOptions& scanned) {
    const auto& operands = scanned.operands;
    return operands.empty() || (operands.size() == 1 && operands[0] == "-");
}

Parsed<std::pair<uint64_t, uint64_t>> parse_range(std::string_view text) {
    size_t dash = text.find('-');
    if (dash == std::string_view::npos) {
        auto only = parse_count(text);
        if (!only || *only == 0) return declined("list");
        return std::pair(*only, *only);
    }
    std::string_view low = text.substr(0, dash), high = text.substr(dash + 1);
    if (low.empty() && high.empty()) return declined("list");
    auto from = low.empty() ? Parsed<uint64_t>(1) : parse_count(low);
    auto to = high.empty() ? Parsed<uint64_t>(UINT64_MAX) : parse_count(high);
    if (!from || !to || *from == 0 || *from > *to) return declined("list");
    return std::pair(*from, *to);
}

Parsed<std::vector<std::pair<uint64_t, uint64_t>>> parse_list(std::string_view text) {
    std::vector<std::pair<uint64_t, uint64_t>> ranges;
    while (true) {
        size_t comma = text.find(',');
        auto range = TRY(parse_range(text.substr(0, comma)));
        ranges.push_back(range);
        if (comma == std::string_view::npos) break;
        text.remove_prefix(comma + 1);
    }
    std::ranges::sort(ranges);
    std::vector<std::pair<uint64_t, uint64_t>> merged;
    for (const auto& range : ranges) {
        if (!merged.empty() && range.first <= merged.back().second)
            merged.back().second = std::max(merged.back().second, range.second);
        else
            merged.push_back(range);
    }
    return merged;
}

constexpr std::array<OptionSpec, 3> count_specs = {
    {{'n', "lines", true}, {'c', "bytes", true}, {'q', "quiet"}}};

// Rewrites the old form `-5` (the first word) as -n 5.
std::vector<std::string> modern(Words arguments) {
    std::vector<std::string> words(arguments.begin(), arguments.end());
    if (!words.empty() && words[0].size() > 1 && words[0][0] == '-' &&
        parse_count(words[0].substr(1)))
        words[0] = "-n" + words[0].substr(1);
    return words;
}

}  // namespace

Parsed<Filter> parse_cut(Words arguments) {
    constexpr char output = '\1';  // has no short form
    static constexpr std::array<OptionSpec, 6> specs = {{{'b', "bytes", true},
                                                         {output, "output-delimiter", true},
                                                         {'c', "characters", true},
                                                         {'d', "delimiter", true},
                                                         {'f', "fields", true},
                                                         {'s', "only-delimited"}}};
    auto scanned = TRY(scan_options(arguments, specs));
    if (!reads_stdin(scanned)) return declined("files");
    Cut cut;
    int lists = 0;
    bool delimiter = false;
    for (const auto& [letter, value] : scanned.options) {
        if (letter == 'd') {
            if (value.size() != 1 || value[0] == '\n') return declined("delimiter");
            cut.delimiter = value[0];
            delimiter = true;
        } else if (letter == output) {
            if (value.empty()) return declined("delimiter");
            cut.output_delimiter = value;
        } else if (letter == 's') {
            cut.only_delimited = true;
        } else {
            auto ranges = TRY(parse_list(value));
            cut.ranges = ranges;
            cut.mode = letter == 'f' ? Cut::Mode::fields : Cut::Mode::bytes;
            lists++;
        }
    }
    if (lists != 1) return declined("list");
    const bool of_fields = delimiter || cut.only_delimited || !cut.output_delimiter.empty();
    if (cut.mode == Cut::Mode::bytes && of_fields) return declined("options");
    if (cut.output_delimiter.empty()) cut.output_delimiter = cut.delimiter;
    return cut;
}

// With a count of 0, head and tail exit at once. Whether the writer ends before that is chance.
constexpr const char* reads_nothing = "a count of 0";

// One end of a text. The first of `signs` before a count sets a member, the others mean nothing.
template <typename End>
Parsed<Filter> parse_end(Words arguments, std::string_view signs, bool End::* member) {
    auto words = modern(arguments);
    auto scanned = TRY(scan_options(words, count_specs));
    if (!reads_stdin(scanned)) return declined("files");
    End end;
    for (const auto& [letter, value] : scanned.options) {
        if (letter == 'q') continue;
        end.bytes = letter == 'c';
        end.*member = value.starts_with(signs.front());
        const bool sign = !value.empty() && signs.contains(value.front());
        end.count = TRY(parse_count(std::string_view(value).substr(sign ? 1 : 0)));
        if (end.count == 0 && !(end.*member)) return declined(reads_nothing);
    }
    return end;
}

Parsed<Filter> parse_head(Words arguments) {
    return parse_end<Head>(arguments, "-", &Head::all_but);
}

Parsed<Filter> parse_tail(Words arguments) {
    return parse_end<Tail>(arguments, "+-", &Tail::from_start);
}

Parsed<Filter> parse_wc(Words arguments) {
    static constexpr std::array<OptionSpec, 3> specs = {
        {{'l', "lines"}, {'w', "words"}, {'c', "bytes"}}};
    static constexpr SwitchRow<Wc> switches[] = {
        {'l', &Wc::lines}, {'w', &Wc::words}, {'c', &Wc::bytes}};
    auto scanned = TRY(scan_options(arguments, specs));
    if (!scanned.operands.empty()) return declined("files");  // "-" is printed as a name
    Wc wc;
    set_switches(wc, scanned, switches);
    if (scanned.options.empty()) wc.lines = wc.words = wc.bytes = true;
    return wc;
}

Parsed<Filter> parse_sort(Words arguments) {
    static constexpr std::array<OptionSpec, 3> specs = {
        {{'n', "numeric-sort"}, {'r', "reverse"}, {'u', "unique"}}};
    auto scanned = TRY(scan_options(arguments, specs));
    if (!reads_stdin(scanned)) return declined("files");
    Sort sort;
    for (const auto& option : scanned.options) {
        sort.numeric |= option.letter == 'n';
        sort.reverse |= option.letter == 'r';
        sort.unique |= option.letter == 'u';
    }
    return sort;
}

Parsed<Filter> parse_uniq(Words arguments) {
    static constexpr std::array<OptionSpec, 3> specs = {
        {{'c', "count"}, {'d', "repeated"}, {'u', "unique"}}};
    auto scanned = TRY(scan_options(arguments, specs));
    if (!reads_stdin(scanned)) return declined("files");
    Uniq uniq;
    for (const auto& option : scanned.options) {
        uniq.count |= option.letter == 'c';
        uniq.repeated |= option.letter == 'd';
        uniq.unique |= option.letter == 'u';
    }
    return uniq;
}

Parsed<Filter> parse_cat(Words arguments) {
    static constexpr std::array<OptionSpec, 2> specs = {{{'n', "number"}, {'u', ""}}};
    auto scanned = TRY(scan_options(arguments, specs));
    if (!reads_stdin(scanned)) return declined("files");
    Cat cat;
    for (const auto& option : scanned.options)
        cat.number |= option.letter == 'n';
    return cat;
}

}  // namespace nlsh
