// `nlsh explain [--json] LINE`: what a command line is to nlsh.
#pragma once

#include <string>

namespace nlsh {

// Prints the parsed program, each command's meaning, native or handed over and why. 0: native as a
// whole; 1: the line would be handed over. As the server would read it, or in process with
// any_file.
int explain(const std::string& line, bool json, bool in_process);

}  // namespace nlsh
