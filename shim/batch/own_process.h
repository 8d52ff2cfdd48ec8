// Lines that only the caller's own process may run, not the server or a library in a program.
#pragma once

#include <string_view>

#include "shim/engine/engine.h"

namespace nlsh {

// Whether `nlsh -c` would answer the line. There a line may name any file and any process, and run
// a batch whose rest the real tool may have to run.
bool is_native_in_own_process(Engine& engine, std::string_view line, CallerEnvironment caller);

}  // namespace nlsh
