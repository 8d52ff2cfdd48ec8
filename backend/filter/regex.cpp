#include "backend/filter/regex.h"

#include <algorithm>

namespace nlsh {
namespace {

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

size_t find_text(std::string_view line, std::string_view text, size_t from, bool ignore_case) {
    if (!ignore_case) return line.find(text, from);
    auto tail = line.substr(from);
    auto equal = [](char a, char b) { return lower(a) == lower(b); };
    auto at = std::search(tail.begin(), tail.end(), text.begin(), text.end(), equal);
    if (at == tail.end() && !text.empty()) return std::string_view::npos;
    return from + static_cast<size_t>(at - tail.begin());
}

}  // namespace

Regex::Regex(const Pattern& pattern, bool whole) : pattern_(pattern), whole_(whole) {
    if (pattern.fixed || pattern.perl) return;
    std::string text = pattern.text;
    if (whole) text = pattern.extended ? "^(" + text + ")$" : "^\\(" + text + "\\)$";
    int flags = (pattern.extended ? REG_EXTENDED : 0) | (pattern.ignore_case ? REG_ICASE : 0);
    compiled_ = regcomp(&regex_, text.c_str(), flags) == 0;
}

Regex::~Regex() {
    if (compiled_) regfree(&regex_);
}

bool Regex::find(std::string_view line, size_t from, Groups& groups) const {
    if (pattern_.fixed) {
        if (whole_ && line.size() != pattern_.text.size()) return false;
        size_t at = find_text(line, pattern_.text, from, pattern_.ignore_case);
        if (at == std::string_view::npos) return false;
        groups[0] = {static_cast<regoff_t>(at), static_cast<regoff_t>(at + pattern_.text.size())};
        return true;
    }
    if (!compiled_) return false;
    groups[0] = {static_cast<regoff_t>(from), static_cast<regoff_t>(line.size())};
    return regexec(&regex_, line.data(), groups.size(), groups.data(), REG_STARTEND) == 0;
}

bool Regex::matches(std::string_view line) const {
    Groups groups;
    return find(line, 0, groups);
}

}  // namespace nlsh
