// nlsh as the ip or bridge of a program under `nlsh mock` or `nlsh record` (NLSH_MOCK is set): asks
// their server.
#pragma once

#include <optional>

namespace nlsh {

bool asks_for_answers();

// The command's exit status. nullopt: run the real program.
std::optional<int> ask_for_answer(int argc, char** argv);

}  // namespace nlsh
