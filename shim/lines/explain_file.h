// `nlsh explain FILE`: which of a program's lines are native.
#pragma once

#include <string>

#include "shim/lines/explain.h"

namespace nlsh {

// Whether explain's word names a file of lines, rather than a line.
bool names_lines(const std::string& word);

// Prints a table of the different lines with a total, or JSON. 0: at least `least` per cent of the
// lines that may not fall back are native; 1: fewer; 2: a file can't be read.
int explain_file(const ExplainCommand& command);

}  // namespace nlsh
