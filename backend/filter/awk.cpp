#include <memory>
#include <vector>

#include "backend/filter/filter.h"
#include "backend/filter/lines.h"
#include "backend/filter/regex.h"

namespace nlsh {

namespace {

void split_blanks(std::string_view line, std::vector<std::string_view>& fields) {
    constexpr std::string_view blanks = " \t";
    for (size_t at = line.find_first_not_of(blanks); at != std::string_view::npos;) {
        size_t end = line.find_first_of(blanks, at);
        fields.push_back(line.substr(at, end - at));
        at = end == std::string_view::npos ? end : line.find_first_not_of(blanks, end);
    }
}

void split_at(std::string_view line, std::string_view separator,
              std::vector<std::string_view>& fields) {
    if (line.empty()) return;
    while (true) {
        size_t end = line.find(separator);
        fields.push_back(line.substr(0, end));
        if (end == std::string_view::npos) return;
        line.remove_prefix(end + separator.size());
    }
}

void print_items(const Awk::Rule& rule, std::string_view line,
                 const std::vector<std::string_view>& fields, std::string& text) {
    using Kind = Awk::Item::Kind;
    for (const auto& item : rule.items) {
        switch (item.kind) {
            case Kind::text:
                text += item.text;
                break;
            case Kind::separator:
                text += ' ';
                break;
            case Kind::last_field:
                text += fields.empty() ? line : fields.back();
                break;
            case Kind::field: {
                auto index = static_cast<size_t>(item.field);
                if (index == 0)
                    text += line;
                else if (index <= fields.size())
                    text += fields[index - 1];
                break;
            }
        }
    }
    text += '\n';
}

}  // namespace

int run_filter(const Awk& awk, std::string_view input, Output& out) {
    std::vector<std::unique_ptr<Regex>> regexes;
    for (const auto& rule : awk.rules)
        regexes.push_back(rule.pattern ? std::make_unique<Regex>(*rule.pattern) : nullptr);
    Lines lines(input);
    std::string text;
    std::vector<std::string_view> fields;
    uint64_t number = 0;
    bool exits = false;
    while (auto line = exits ? std::nullopt : lines.next()) {
        number++;
        fields.clear();
        if (awk.separator.empty())
            split_blanks(*line, fields);
        else
            split_at(*line, awk.separator, fields);
        for (size_t i = 0; i < awk.rules.size(); i++) {
            const auto& rule = awk.rules[i];
            if (rule.record != 0 && rule.record != number) continue;
            if (regexes[i] && regexes[i]->matches(*line) == rule.negated) continue;
            print_items(rule, *line, fields, text);
            exits = rule.exits;
            if (exits) break;
        }
    }
    if (!text.empty()) out.write(text);
    return 0;
}

}  // namespace nlsh
