#include "shim/lines/lines.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "parser/text.h"
#include "shim/json/json.h"

namespace nlsh {
namespace {

constexpr std::string_view several = "#: ";

std::optional<std::string> traced(std::string_view line) {
    const std::vector<std::string_view> fields = fields_of(line, '\t');
    const bool ours = (fields.size() == 6 || fields.size() == 7) &&
                      (fields[1] == "native" || fields[1] == "fallback");
    return ours ? std::optional(std::string(fields[4])) : std::nullopt;
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
