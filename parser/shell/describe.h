// A program as lines of text, for `nlsh explain`.
#pragma once

#include <string>
#include <vector>

#include "parser/shell/tree.h"

namespace nlsh {

struct DescribedLine {
    int depth = 0;     // nesting: conditions, bodies, stages
    int position = 0;  // of a simple command, as written; 0 for a structure
    std::string text;  // the words, or what the structure is ("if", "pipeline", "subshell", "and")
    std::string meaning;  // "link set", "builtin echo", "filter", "parsed when it runs"; empty for
                          // a structure
};

std::vector<DescribedLine> describe(const Program& program);

}  // namespace nlsh
