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

// nlsh as ip or bridge in such a program (NLSH_MOCK is set): asks its server for the exit status.
// Returns nothing when the real one is to be run.
bool asks_for_answers();
std::optional<int> ask_for_answer(int argc, char** argv);

}  // namespace nlsh
