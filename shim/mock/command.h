// `nlsh mock SCENARIO -- PROGRAM`.
#pragma once

#include <string>
#include <vector>

#include "shim/mock/program.h"

namespace nlsh {

struct MockCommand {
    std::string scenario;               // a file; without it only `failures` apply
    std::vector<std::string> failures;  // rules (scenario.h)
    std::string report;                 // a file for the report, as JSON
    bool quiet = false;                 // print no report if everything was as expected
    AnsweredProgram program;
};

// Returns the program's exit status, or 1 if that is 0 but the scenario isn't satisfied. 2: the
// scenario can't be read; nothing has run.
int mock(const MockCommand& command);

}  // namespace nlsh
