#include "parser/filter/filter.h"

#include <algorithm>
#include <array>

namespace nlsh {
namespace {

struct Program {
    std::string_view base;
    Parsed<Filter> (*parse)(Words);
};

constexpr std::array<Program, 13> programs = {{
    {"grep", parse_grep},
    {"egrep", parse_egrep},
    {"fgrep", parse_fgrep},
    {"sed", parse_sed},
    {"tr", parse_tr},
    {"awk", parse_awk},
    {"cut", parse_cut},
    {"head", parse_head},
    {"tail", parse_tail},
    {"wc", parse_wc},
    {"sort", parse_sort},
    {"uniq", parse_uniq},
    {"cat", parse_cat},
}};

}  // namespace

bool is_filter(std::string_view base) {
    return std::ranges::find(programs, base, &Program::base) != programs.end();
}

Parsed<Filter> parse_filter(std::string_view base, Words arguments) {
    const auto* const program = std::ranges::find(programs, base, &Program::base);
    if (program == programs.end()) return declined(std::string(base) + ": unknown program");
    auto filter = program->parse(arguments);
    if (!filter) return declined(std::string(base) + ": " + filter.error().reason);
    return filter;
}

}  // namespace nlsh
