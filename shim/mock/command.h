// `nlsh mock SCENARIO -- PROGRAM`.
#pragma once

#include <string>
#include <vector>

#include "shim/mock/program.h"

namespace nlsh {

struct MockCommand {
    std::string scenario;               // a file; without one only `failures` are injected
    std::vector<std::string> failures;  // rules (scenario.h)
    std::string report;                 // a file for the report, as JSON
    bool quiet = false;                 // no report on stderr when all was as expected
    AnsweredProgram program;
};

// The program's exit status; 1 when that is 0 but the scenario wasn't satisfied; 2: it can't be
// read, and nothing has run.
int mock(const MockCommand& command);

}  // namespace nlsh
