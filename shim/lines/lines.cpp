#include "shim/lines/lines.h"

#include <nlohmann/json.hpp>
#include <optional>

#include "shim/json/json.h"

namespace nlsh {
namespace {

constexpr std::string_view several = "#: ";

std::vector<std::string> fields_of(const std::string& line) {
    std::vector<std::string> fields(1);
    for (const char c : line) {
        if (c == '\t') {
            fields.emplace_back();
        } else {
            fields.back() += c;
        }
    }
    return fields;
}

std::optional<std::string> traced(const std::string& line) {
    if (line.find('\t') == line.npos) return {};
    std::vector<std::string> fields = fields_of(line);
    const bool ours = fields.size() == 6 && (fields[1] == "native" || fields[1] == "fallback");
    return ours ? std::optional(std::move(fields[4])) : std::nullopt;
}

}  // namespace

std::vector<NumberedLine> read_lines(LineReader& file) {
    std::vector<NumberedLine> lines;
    std::string line;
    for (size_t number = 1; file.next(line); ++number) {
        if (line.starts_with(several)) {
            const Json text = parse_json(std::string_view(line).substr(several.size()));
            if (text.is_string()) lines.push_back({number, text.get<std::string>()});
            continue;
        }
        const size_t start = line.find_first_not_of(" \t\r");
        if (start == line.npos || line[start] == '#') continue;
        auto command = traced(line);
        lines.push_back({number, command ? std::move(*command) : line});
    }
    return lines;
}

std::string as_line(std::string_view command) {
    const size_t start = command.find_first_not_of(" \t\r");
    const bool plain = start != command.npos && command[start] != '#' &&
                       command.find_first_of("\n\t") == command.npos;
    if (plain) return std::string(command) + '\n';
    return std::string(several) + json_string(command) + '\n';
}

}  // namespace nlsh
