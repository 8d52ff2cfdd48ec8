#include "shim/cli/explain_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "shim/engine/caller.h"
#include "shim/engine/engine.h"
#include "shim/record/lines.h"

namespace nlsh {
namespace {

using Json = nlohmann::ordered_json;

struct Row {
    std::string line;
    uint64_t count = 0;
    std::string reason;  // why it is handed over; empty: native
};

std::vector<Row> rows_of(const std::vector<std::string>& lines, bool in_process) {
    Engine engine(0, Engine::Process::script);
    const CallerEnvironment caller = own_environment(in_process);
    std::vector<Row> rows;
    std::unordered_map<std::string, size_t> known;
    for (const std::string& line : lines) {
        const auto [place, fresh] = known.try_emplace(line, rows.size());
        if (fresh) {
            const auto prepared = engine.prepare(line, caller);
            rows.push_back({line, 0, prepared ? "" : prepared.error().reason});
            if (!prepared && rows.back().reason.empty()) rows.back().reason = "declined";
        }
        ++rows[place->second].count;
    }
    return rows;
}

struct Total {
    size_t lines = 0, native = 0, different = 0, different_native = 0;
};

Total total_of(const std::vector<Row>& rows) {
    Total total;
    for (const Row& row : rows) {
        const bool native = row.reason.empty();
        total.lines += row.count;
        total.native += native ? row.count : 0;
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
        text += fmt::format("{:<11} {:>6}  {}\n", row.reason.empty() ? "native" : "handed over",
                            row.count, shown(row.line));
        if (!row.reason.empty()) text += fmt::format("{:20}because: {}\n", "", row.reason);
    }
    return text + fmt::format("native: {} of {} lines ({:.1f}%), {} of {} different ones\n",
                              total.native, total.lines, percent(total.native, total.lines),
                              total.different_native, total.different);
}

std::string as_json(const std::vector<Row>& rows, const Total& total) {
    Json document{{"total", total.lines},
                  {"native", total.native},
                  {"different", total.different},
                  {"different_native", total.different_native}};
    Json& list = document["lines"] = Json::array();
    for (const Row& row : rows) {
        Json entry{{"line", row.line}, {"count", row.count}, {"native", row.reason.empty()}};
        if (!row.reason.empty()) entry["reason"] = row.reason;
        list.push_back(std::move(entry));
    }
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

bool names_lines(const std::string& word) {
    std::error_code ignored;
    return word == "-" ||
           (word.find(' ') == word.npos && !std::filesystem::is_directory(word, ignored) &&
            std::filesystem::exists(word, ignored));
}

int explain_file(const std::string& file, bool json, bool in_process) {
    std::ifstream opened;
    if (file != "-") {
        opened.open(file);
        if (!opened) {
            fmt::print(stderr, "nlsh: cannot read {}: {}\n", file, strerror(errno));
            return 255;
        }
    }
    const std::vector<Row> rows = rows_of(read_lines(file == "-" ? std::cin : opened), in_process);
    const Total total = total_of(rows);
    const std::string text = json ? as_json(rows, total) : as_table(rows, total);
    fwrite(text.data(), 1, text.size(), stdout);
    return total.native == total.lines ? 0 : 1;
}

}  // namespace nlsh
