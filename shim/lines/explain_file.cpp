#include "shim/lines/explain_file.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <cstring>
#include <expected>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "shim/engine/caller.h"
#include "shim/engine/engine.h"
#include "shim/json/json.h"
#include "shim/lines/lines.h"
#include "shim/log/message.h"

namespace nlsh {
namespace {

struct Row {
    std::string line;
    std::vector<size_t> numbers;  // of the lines in the file
    std::string reason;           // why the line falls back; empty: native
    bool allowed = false;         // may fall back
};

bool is_allowed(const std::vector<NumberedLine>& patterns, const std::string& line) {
    return std::ranges::any_of(patterns, [&](const NumberedLine& pattern) {
        return fnmatch(pattern.text.c_str(), line.c_str(), 0) == 0;
    });
}

std::vector<Row> rows_of(const std::vector<NumberedLine>& lines,
                         const std::vector<NumberedLine>& allowed, bool in_process) {
    Engine engine(0, Engine::Process::script);
    const CallerEnvironment caller = own_environment(in_process);
    std::vector<Row> rows;
    std::unordered_map<std::string, size_t> known;
    for (const auto& [number, line] : lines) {
        const auto [place, fresh] = known.try_emplace(line, rows.size());
        if (fresh) {
            const auto prepared = engine.prepare(line, caller);
            rows.push_back({line, {}, prepared ? "" : reason_of(prepared.error())});
            rows.back().allowed = !prepared && is_allowed(allowed, line);
        }
        rows[place->second].numbers.push_back(number);
    }
    return rows;
}

struct Total {
    size_t lines = 0, native = 0, allowed = 0, different = 0, different_native = 0;
};

Total total_of(const std::vector<Row>& rows) {
    Total total;
    for (const Row& row : rows) {
        const bool native = row.reason.empty();
        total.lines += row.numbers.size();
        total.native += native ? row.numbers.size() : 0;
        total.allowed += row.allowed ? row.numbers.size() : 0;
        ++total.different;
        total.different_native += native ? 1 : 0;
    }
    return total;
}

double percent(size_t part, size_t all) {
    return all == 0 ? 100.0 : 100.0 * static_cast<double>(part) / static_cast<double>(all);
}

std::string shown(std::string_view line) {
    std::string text;
    for (const char c : line)
        text += c == '\n' ? std::string("\\n") : c == '\t' ? std::string(" ") : std::string(1, c);
    return text;
}

std::string as_table(const std::vector<Row>& rows, const Total& total) {
    std::string text;
    for (const Row& row : rows) {
        const char* way = row.reason.empty() ? "native" : row.allowed ? "allowed" : "fallback";
        text += fmt::format("{:<8} {:>6}  {}\n", way, row.numbers.size(), shown(row.line));
        if (!row.reason.empty())
            text += fmt::format("{:17}because: {} (line {})\n", "", row.reason, row.numbers[0]);
    }
    return text + fmt::format("native: {} of {} lines ({:.1f}%), {} of {} different ones\n",
                              total.native, total.lines, percent(total.native, total.lines),
                              total.different_native, total.different);
}

std::string rows_as_json(const std::vector<Row>& rows, const Total& total) {
    Json document{{"total", total.lines},
                  {"native", total.native},
                  {"different", total.different},
                  {"different_native", total.different_native}};
    Json& list = document["lines"] = Json::array();
    for (const Row& row : rows) {
        Json entry{{"line", row.line},
                   {"count", row.numbers.size()},
                   {"numbers", row.numbers},
                   {"native", row.reason.empty()}};
        if (!row.reason.empty()) entry["reason"] = row.reason;
        if (row.allowed) entry["allowed"] = true;
        list.push_back(std::move(entry));
    }
    return json_text(document, 2) + "\n";
}

// The error: errno.
std::expected<std::vector<NumberedLine>, int> lines_of(const std::string& file) {
    LineReader reader(file);
    auto lines = reader.error() == 0 ? read_lines(reader) : std::vector<NumberedLine>();
    if (reader.error() != 0) return std::unexpected(reader.error());
    return lines;
}

int cannot_read(const std::string& file, int error) {
    return fail(2, "nlsh: {}: {}\n", file, strerror(error));
}

}  // namespace

bool names_lines(const std::string& word) {
    std::error_code ignored;
    return word == "-" ||
           (word.find(' ') == word.npos && !std::filesystem::is_directory(word, ignored) &&
            std::filesystem::exists(word, ignored));
}

int explain_file(const ExplainCommand& command) {
    const auto lines = lines_of(command.line);
    if (!lines) return cannot_read(command.line, lines.error());
    const auto allowed = command.allow.empty() ? decltype(lines){} : lines_of(command.allow);
    if (!allowed) return cannot_read(command.allow, allowed.error());
    const std::vector<Row> rows = rows_of(*lines, *allowed, command.in_process);
    const Total total = total_of(rows);
    const std::string text = command.json ? rows_as_json(rows, total) : as_table(rows, total);
    const size_t left = total.lines - total.allowed;
    return print(text) == 0 && percent(total.native, left) >= command.least ? 0 : 1;
}

}  // namespace nlsh
