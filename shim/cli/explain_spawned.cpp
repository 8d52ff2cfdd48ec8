#include "shim/cli/explain_spawned.h"

#include "shim/batch/fed.h"
#include "shim/batch/own_process.h"
#include "shim/engine/caller.h"
#include "shim/engine/engine.h"
#include "shim/log/message.h"
#include "shim/process/quote.h"

namespace nlsh {
namespace {

// The program that writes a batch's lines runs first, so it may not change anything.
bool feeds(Engine& engine, const FedBatch& batch, const CallerEnvironment& caller) {
    if (batch.feed != FedBatch::Feed::program) return true;
    const std::string line =
        batch.shell.empty() ? batch.from : batch.shell + " -c " + shell_quoted(batch.from);
    const auto prepared = engine.prepare(line, caller);
    return prepared && (*prepared)->program.read_only && !(*prepared)->program.endless;
}

}  // namespace

void explain_spawned(const std::string& line) {
    Engine engine(0, Engine::Process::script);
    const CallerEnvironment caller = own_environment(true);
    const auto batch = fed_batch(line);
    if (!is_native_in_own_process(engine, line, caller)) return;
    if (batch && !feeds(engine, *batch, caller)) return;
    print(
        "  by the server, and in process: falls back\n"
        "  by `nlsh -c`, which popen, system and exec then start: native\n");
}

}  // namespace nlsh
