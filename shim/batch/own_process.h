// Lines that only nlsh's own process may run, not the server or the engine inside a program.
#pragma once

#include <string_view>

#include "shim/batch/fed.h"
#include "shim/engine/engine.h"

namespace nlsh {

// Whether `nlsh -c` would answer the line. There, a line may name any file and any process, and run
// a batch that the real tool may have to finish.
inline bool is_native_in_own_process(Engine& engine, std::string_view line,
                                     CallerEnvironment caller) {
    caller.any_file = true;
    if (engine.prepare(line, caller)) return true;
    const auto batch = fed_batch(line);
    return batch && caller.unsupported.empty() && engine.tool(batch->words[0], caller);
}

}  // namespace nlsh
