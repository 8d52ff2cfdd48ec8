// tr, cut, head, tail, wc, cat, and common functions of all filters.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "backend/filter/filter.h"
#include "backend/filter/lines.h"

namespace nlsh {
namespace {

int put(Output& out, std::string_view text) {
    if (!text.empty()) out.write(text);
    return 0;
}

size_t at_most(uint64_t count, size_t most) {
    return count < most ? static_cast<size_t>(count) : most;
}

// Where each line starts; the end of the text last.
std::vector<size_t> line_starts(std::string_view text) {
    std::vector<size_t> starts;
    for (size_t at = 0; at < text.size();) {
        starts.push_back(at);
        size_t end = text.find('\n', at);
        at = end == std::string_view::npos ? text.size() : end + 1;
    }
    starts.push_back(text.size());
    return starts;
}

bool wanted(const Cut& cut, uint64_t number) {
    return std::ranges::any_of(cut.ranges, [number](const auto& range) {
        return range.first <= number && number <= range.second;
    });
}

void cut_fields(const Cut& cut, std::string_view line, std::string& text) {
    if (line.find(cut.delimiter) == std::string_view::npos) {
        if (!cut.only_delimited) text.append(line).append("\n");
        return;
    }
    bool first = true;
    for (uint64_t number = 1;; number++) {
        size_t end = line.find(cut.delimiter);
        if (wanted(cut, number)) {
            if (!first) text += cut.output_delimiter;
            text += line.substr(0, end);
            first = false;
        }
        if (end == std::string_view::npos) break;
        line.remove_prefix(end + 1);
    }
    text += '\n';
}

}  // namespace

bool is_plain_text(std::string_view text) {
    return std::ranges::all_of(
        text, [](char c) { return (c >= 0x20 && c < 0x7f) || c == '\n' || c == '\t'; });
}

int run_filter(const Filter& filter, std::string_view input, Output& out) {
    return std::visit([&](const auto& each) { return run_filter(each, input, out); }, filter);
}

int run_filter(const Tr& tr, std::string_view input, Output& out) {
    std::array<char, 256> map;
    for (size_t i = 0; i < map.size(); i++)
        map[i] = static_cast<char>(i);
    for (size_t i = 0; i < tr.from.size(); i++)
        map[static_cast<unsigned char>(tr.from[i])] = tr.to[i];
    std::string text;
    for (char c : input) {
        if (tr.remove && tr.members.test(static_cast<unsigned char>(c))) continue;
        c = map[static_cast<unsigned char>(c)];
        if (tr.squeeze && !text.empty() && text.back() == c &&
            tr.squeezed.test(static_cast<unsigned char>(c)))
            continue;
        text += c;
    }
    return put(out, text);
}

int run_filter(const Cut& cut, std::string_view input, Output& out) {
    Lines lines(input);
    std::string text;
    while (auto line = lines.next()) {
        if (cut.mode == Cut::Mode::fields) {
            cut_fields(cut, *line, text);
            continue;
        }
        for (const auto& [from, to] : cut.ranges) {
            if (from <= line->size())
                text += line->substr(static_cast<size_t>(from - 1),
                                     at_most(to - from, line->size()) + 1);
        }
        text += '\n';
    }
    return put(out, text);
}

int run_filter(const Head& head, std::string_view input, Output& out) {
    if (head.bytes) {
        size_t count = at_most(head.count, input.size());
        return put(out, input.substr(0, head.all_but ? input.size() - count : count));
    }
    auto starts = line_starts(input);
    size_t count = at_most(head.count, starts.size() - 1);
    return put(out, input.substr(0, starts[head.all_but ? starts.size() - 1 - count : count]));
}

int run_filter(const Tail& tail, std::string_view input, Output& out) {
    uint64_t skip = tail.count > 0 ? tail.count - 1 : 0;
    if (tail.bytes) {
        size_t count = at_most(tail.from_start ? skip : tail.count, input.size());
        return put(out, input.substr(tail.from_start ? count : input.size() - count));
    }
    auto starts = line_starts(input);
    size_t count = at_most(tail.from_start ? skip : tail.count, starts.size() - 1);
    return put(out, input.substr(starts[tail.from_start ? count : starts.size() - 1 - count]));
}

int run_filter(const Wc& wc, std::string_view input, Output& out) {
    size_t words = 0;
    bool inside = false;
    for (char c : input) {
        bool blank = c == ' ' || (c >= '\t' && c <= '\r');
        if (!blank && !inside) words++;
        inside = !blank;
    }
    std::vector<size_t> counts;
    if (wc.lines) counts.push_back(static_cast<size_t>(std::ranges::count(input, '\n')));
    if (wc.words) counts.push_back(words);
    if (wc.bytes) counts.push_back(input.size());
    if (counts.size() == 1) return put(out, fmt::format("{}\n", counts[0]));
    std::string text;
    for (size_t count : counts)
        text += fmt::format("{}{:7}", text.empty() ? "" : " ", count);
    return put(out, text + "\n");
}

int run_filter(const Cat& cat, std::string_view input, Output& out) {
    if (!cat.number) return put(out, input);
    Lines lines(input);
    std::string text;
    uint64_t number = 0;
    while (auto line = lines.next())
        text += fmt::format("{:6}\t{}{}", ++number, *line, lines.complete() ? "\n" : "");
    return put(out, text);
}

}  // namespace nlsh
