// `nlsh explain FILE`: which of a program's lines are native.
#pragma once

#include <string>

#include "shim/lines/explain.h"

namespace nlsh {

// Does the word given to explain name a file of lines, not a line?
bool names_lines(const std::string& word);

// A table of the different lines with a total, or JSON. 0: of the lines that
// may not fall back, at least `least` per cent are native; 1: fewer; 2: a file can't be read.
int explain_file(const ExplainCommand& command);

}  // namespace nlsh
