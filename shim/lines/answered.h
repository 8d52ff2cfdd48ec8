// nlsh as ip or bridge of a program that `nlsh mock` or `nlsh record` runs (NLSH_MOCK is set): asks
// their server.
#pragma once

#include <optional>

namespace nlsh {

bool asks_for_answers();

// The command's exit status. nullopt: the real one is to be run.
std::optional<int> ask_for_answer(int argc, char** argv);

}  // namespace nlsh
