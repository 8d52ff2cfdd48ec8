// Runs a program whose ip and bridge commands we answer.
#pragma once

#include <string>
#include <vector>

#include "shim/mock/server.h"

namespace nlsh {

struct AnsweredProgram {
    std::vector<std::string> words;
    // How its commands reach us: popen and system under the preload, or, for scripts, nlsh stands
    // in PATH before ip and bridge.
    bool by_path = false;
};

// Returns the program's exit status as a shell gives it. Needs no rights: the socket is private.
int run_answered(const AnsweredProgram& program, Answerer answerer);

}  // namespace nlsh
