// Runs a program and answers its ip and bridge commands.
#pragma once

#include <string>
#include <vector>

#include "shim/mock/server.h"

namespace nlsh {

struct AnsweredProgram {
    std::vector<std::string> words;
    // False: answer popen and system by the preload. True, for scripts: put nlsh first in PATH as
    // ip and bridge.
    bool by_path = false;
};

// Returns the program's exit status as a shell gives it. Needs no rights: the socket is private.
int run_answered(const AnsweredProgram& program, Answerer answerer);

}  // namespace nlsh
