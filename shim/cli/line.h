// Command lines run in process: `nlsh -c LINE`, `nlsh FILE`, `nlsh -`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "backend/context.h"
#include "shim/engine/engine.h"
#include "shim/engine/process_files.h"
#include "shim/engine/trace.h"
#include "shim/verify/compare.h"

namespace nlsh {

// What lines in one process share: the engine, the sockets, where traces go.
class LineRunner {
  public:
    // quiet: failures of a chain aren't named on stderr.
    explicit LineRunner(bool quiet);

    // Runs natively, or by the real shell in a child. The exit status as a shell gives it (128+N
    // for signals).
    int run(std::string_view line);
    // What was looked up for earlier lines may have changed.
    void doubt() { engine_.doubt(); }
    // The same, but the real shell replaces this process: for the last line.
    int run_last(std::string_view line);

  private:
    // Nothing: not native, and nothing was done.
    std::expected<int, Decline> run_native(std::string_view line);
    // A line that is no more than `ip -batch FILE` or `bridge -batch FILE`; nothing: it isn't, or
    // nothing of it is native.
    std::optional<int> run_batch(std::string_view line, bool last) const;
    void name_failures(const Prepared& prepared, const Evaluation& evaluation) const;

    Engine engine_;
    Session session_{Session::Threads::some};
    ProcessFiles files_;
    CallerEnvironment caller_;
    Trace trace_;
    bool quiet_;
    std::string disabled_;  // why nothing is native; empty: it may be
    Sampler sampler_;       // which lines are run both ways (NLSH_VERIFY)
};

// A file of command lines, one a line, `#` starts a comment line; "-" is standard input. Stops at
// the first line that fails and names it, unless force is set. The exit status: the failed line's,
// 1 with force.
int run_script(const std::string& file, bool force, bool quiet);

}  // namespace nlsh
