// Lines that only nlsh's own process may run, not the server or the engine inside a program.
#pragma once

#include <string_view>

#include "shim/engine/engine.h"

namespace nlsh {

// Whether `nlsh -c` would answer the line. There, a line may name any file and any process, and run
// a batch that the real tool may have to finish.
bool is_native_in_own_process(Engine& engine, std::string_view line, CallerEnvironment caller);

}  // namespace nlsh
