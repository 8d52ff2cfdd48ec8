// `nlsh explain FILE`: what of a program's command lines is native.
#pragma once

#include <string>

namespace nlsh {

// Is the word the name of a file of lines ("-": standard input), rather than a line?
bool names_lines(const std::string& word);

// A table of the different lines with a total, or JSON. 0: all are native; 1: some aren't; 255:
// the file can't be read.
int explain_file(const std::string& file, bool json, bool in_process);

}  // namespace nlsh
