#include "shim/builds/proven.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "parser/ip/refusal.h"
#include "parser/ip/request.h"
#include "parser/text.h"

namespace nlsh {
namespace {

constexpr std::string_view first_line = "nlsh-proof 1";
constexpr std::string_view left_line = "left ";
constexpr std::string_view differing_line = "differing ";
constexpr std::string_view last_line = "end";

// Whether a word could be a keyword of iproute2 that nlsh doesn't know, or an abbreviation of one.
// Few names of devices or tables look like keywords; a line with such a name falls back.
bool is_wordlike(std::string_view word) {
    return !word.empty() && std::ranges::all_of(word, [](char c) {
        return (c >= 'a' && c <= 'z') || c == '-' || c == '_';
    });
}

// An option, in full or in short.
bool is_option(std::string_view word) {
    return word.size() > 1 && word[0] == '-' && std::isalpha(static_cast<unsigned char>(word[1]));
}

bool is_abbreviation(std::string_view word, const std::vector<std::string>& known) {
    const auto next = std::ranges::lower_bound(known, word);
    return next != known.end() && next->starts_with(word);
}

template <typename T>
void sort_unique(std::vector<T>& values) {
    std::ranges::sort(values);
    values.erase(std::ranges::unique(values).begin(), values.end());
}

}  // namespace

uint64_t unit_of(std::string_view text) {
    uint64_t hash = 14695981039346656037U;  // FNV-1a
    for (const char each : text)
        hash = (hash ^ static_cast<unsigned char>(each)) * 1099511628211U;
    return hash;
}

std::string in_all_modes(std::string_view unit) {
    const size_t bar = unit.find('|');
    if (bar == unit.npos) return {};
    const size_t row = std::min(unit.find(" ~", bar), unit.find(" !", bar));
    if (row == unit.npos || unit.substr(row).starts_with(" ~-")) return {};
    return fmt::format("{}*{}", unit.substr(0, bar + 1), unit.substr(row));
}

Proven::Proven(std::vector<uint64_t> units, std::vector<std::string> words,
               std::vector<std::string> left)
    : units_(std::move(units)), words_(std::move(words)), left_(std::move(left)) {
    sort_unique(units_);
    sort_unique(words_);
    sort_unique(left_);
}

std::string Proven::text() const {
    std::string text = fmt::format("{}\n{}\n", first_line, fmt::join(words_, " "));
    for (const std::string& scope : left_)
        text += fmt::format("{}{}\n", left_line, scope);
    for (const std::string& scope : differing_)
        text += fmt::format("{}{}\n", differing_line, scope);
    for (const uint64_t unit : units_)
        text += fmt::format("{:016x}\n", unit);
    return text.append(last_line).append("\n");
}

std::optional<Proven> Proven::parse(std::string_view text, std::string file) {
    const std::vector<std::string_view> lines = split(text, '\n');
    if (lines.size() < 3 || lines.front() != first_line || lines.back() != last_line) return {};
    std::vector<std::string> words, left, differing;
    std::vector<uint64_t> units;
    for (const std::string_view word : split(lines[1], ' '))
        words.emplace_back(word);
    units.reserve(lines.size());
    for (size_t i = 2; i + 1 < lines.size(); ++i) {
        const std::string_view line = lines[i];
        if (line.starts_with(left_line)) {
            left.emplace_back(line.substr(left_line.size()));
            continue;
        }
        if (line.starts_with(differing_line)) {
            differing.emplace_back(line.substr(differing_line.size()));
            continue;
        }
        uint64_t unit = 0;
        constexpr int hexadecimal = 16;
        if (line.size() != 16 || !read_number(line, unit, hexadecimal)) return {};
        units.push_back(unit);
    }
    Proven proven(std::move(units), std::move(words), std::move(left));
    proven.differing_ = std::move(differing);
    proven.file_ = std::move(file);
    return proven;
}

Proven Proven::without(std::string scope) const {
    Proven rest = *this;
    rest.differing_.push_back(std::move(scope));
    sort_unique(rest.differing_);
    return rest;
}

bool Proven::has_rows_of(const Proven& other) const {
    return units_ == other.units_ && words_ == other.words_ && left_ == other.left_;
}

bool Proven::has(std::string_view text) const {
    return std::ranges::binary_search(units_, unit_of(text));
}

bool Proven::has_in_some_mode(const std::string& unit) const {
    return has(unit) || has(in_all_modes(unit));
}

std::vector<Row> rows_of(std::span<const std::string> words, const Command& command,
                         const std::vector<std::string>& known) {
    const std::string scope = scope_of(command.options, command.summary);
    const bool refused = command.request.is<RefusedCommand>();
    std::string begin = scope;
    std::vector<Row> rows;
    if (refused) {
        const std::string form = form_of(command.request.get<RefusedCommand>().message);
        begin += " !" + form;
        rows.push_back({begin, form});
    } else {
        rows.push_back({scope + " .", "the command"});
    }
    for (const std::string& word : words) {
        if (is_option(word)) {  // what it changes is in the scope
            const std::string_view tool = std::string_view(scope).substr(0, scope.find(' '));
            rows.push_back({fmt::format("{} | ~{}", tool, word), word});
        } else if (std::ranges::binary_search(known, word) ||
                   (is_wordlike(word) && (refused || is_abbreviation(word, known)))) {
            rows.push_back({fmt::format("{} ~{}", begin, word), word});
        }
    }
    return rows;
}

std::vector<Row> rows_of_beginning(std::span<const std::string> words, const Command& command,
                                   const std::vector<std::string>& known) {
    if (!command.request.is<RefusedCommand>()) return {};
    const std::string& message = command.request.get<RefusedCommand>().message;
    const auto is_quoted = [&](const std::string& word) {
        return message.contains(fmt::format("\"{}\"", word));
    };
    size_t size = words.size();
    while (size > 0 && !is_quoted(words[size - 1]))
        --size;
    if (size == 0 || size == words.size()) return {};
    const auto read = words.first(size);
    std::vector<Row> rows = rows_of(read, command, known);
    const std::string before = size > 1 ? words[size - 2] : "";
    const bool keyword = std::ranges::binary_search(known, before);
    rows.push_back({.unit = fmt::format("{} ~{} ...", rows.front().unit, keyword ? before : ""),
                    .name = "what follows " + words[size - 1]});
    return rows;
}

std::string Proven::missing(const std::vector<Row>& rows) const {
    const auto row = std::ranges::find_if_not(
        rows, [&](const std::string& unit) { return has_in_some_mode(unit); }, &Row::unit);
    return row == rows.end() ? "" : row->name;
}

std::string Proven::objection(std::span<const std::string> words, const Command& command) const {
    const std::string scope = scope_of(command.options, command.summary);
    if (std::ranges::binary_search(differing_, scope))
        return fmt::format("its output has differed from this iproute2's: {}", scope);
    const std::string unproven = missing(rows_of(words, command, words_));
    if (unproven.empty()) return {};
    const std::vector<Row> beginning = rows_of_beginning(words, command, words_);
    if (!beginning.empty() && missing(beginning).empty()) return {};
    return fmt::format("{} isn't proven of this iproute2: {}", unproven, scope);
}

bool Proven::prints(const std::string& scope, std::string_view key) const {
    return has(fmt::format("{} ={}", scope, key));
}

}  // namespace nlsh
