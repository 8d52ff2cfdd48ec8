// `nlsh explain [--json] LINE`: which commands of a line are native, and why others aren't.
#pragma once

#include <string>

#include "parser/decline.h"

namespace nlsh {

struct ExplainCommand {
    std::string line;  // or a file of lines, or - for standard input
    bool json = false;
    bool in_process = false;  // as `nlsh -c` reads it, not as the server does
    // Of a file:
    double least = 100;  // per cent of the lines that are to be native
    std::string allow;   // a file of patterns: lines that may fall back
};

// Prints the parsed program, each command's meaning, native or fallback and why. 0: native as a
// whole; 1: the line would fall back; 2: it is no line.
int explain(const ExplainCommand& command);

// Why a line falls back, for people: also which iproute2 was found, if it is that.
std::string reason_of(const Decline& decline);

}  // namespace nlsh
