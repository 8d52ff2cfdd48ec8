// `nlsh explain [--json] LINE`: which commands of a line are native, and why others aren't.
#pragma once

#include <string>

#include "parser/decline.h"

namespace nlsh {

struct ExplainCommand {
    std::string line;  // or a file of lines, or - for standard input
    bool json = false;
    bool in_process = false;  // explain for `nlsh -c`, not for the server
    // Of a file:
    double least = 100;  // per cent of the lines that must be native
    std::string allow;   // a file of patterns: lines that may fall back
};

// Prints the parsed program, each command's meaning, native or fallback and why. 0: the whole line
// is native; 1: it would fall back; 2: not a line.
int explain(const ExplainCommand& command);

// Why a line falls back, for people. If the reason is the iproute2, names the one that was found.
std::string reason_of(const Decline& decline);

}  // namespace nlsh
