#include "shim/batch/own_process.h"

#include "shim/batch/fed.h"

namespace nlsh {

bool is_native_in_own_process(Engine& engine, std::string_view line, CallerEnvironment caller) {
    caller.any_file = true;
    if (engine.prepare(line, caller)) return true;
    const auto batch = fed_batch(line);
    return batch && caller.unsupported.empty() && engine.tool(batch->words[0], caller);
}

}  // namespace nlsh
