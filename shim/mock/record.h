// `nlsh record PROGRAM…`: records the command lines that a program runs.
#pragma once

#include <string>

#include "shim/mock/program.h"

namespace nlsh {

struct RecordCommand {
    // lines: a file for `nlsh explain` and `nlsh FILE`; scn: a block for the twin harness; mock: a
    // scenario for `nlsh mock` with the same answers.
    enum class Form { lines, scn, mock };
    Form form = Form::lines;
    std::string output;  // a file; empty: stdout, at the program's end
    AnsweredProgram program;
};

// Returns the program's exit status; 2 if the file can't be written: nothing has run.
int record(const RecordCommand& command);

}  // namespace nlsh
