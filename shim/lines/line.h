// Command lines run in process: `nlsh -c LINE`, `nlsh FILE`, `nlsh -`.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "backend/context.h"
#include "shim/engine/disabled.h"
#include "shim/engine/engine.h"
#include "shim/files/process_files.h"
#include "shim/process/trace.h"
#include "shim/verify/compare.h"

namespace nlsh {

class Progress;

// Whose place this process takes: the shell's that the preload would have had libc start, or a
// program's that a process would have become.
struct Spawned {
    std::string_view function;      // popen, system, exec or spawn
    std::optional<uint32_t> lapse;  // what to note of the line if it falls back (lapse_file.h)
    std::string_view why;           // no server serves the caller
};
// By a process's name, "nlsh --for=FUNCTION[@LAPSE][:WHY]"; nothing: it is another.
std::optional<Spawned> spawned_for(std::string_view name);

// Whether the command of a chain that failed is named on stderr.
enum class Naming : uint8_t { never, on_terminal, always };

// What lines in one process share: the engine, the sockets, where traces go.
class LineRunner {
  public:
    // progress: stands on the terminal, and
    // makes way for what is written there.
    explicit LineRunner(Naming naming, Progress* progress = nullptr);
    // Says nothing that a shell wouldn't say.
    explicit LineRunner(const Spawned& spawned);

    // Runs natively, or by the real shell in a child. The exit status as a shell gives it (128+N
    // for signals).
    int run(std::string_view line);
    // What was looked up for earlier lines may have changed.
    void doubt() { engine_.doubt(); }
    // The same, but the real shell replaces this process: for the last line.
    int run_last(std::string_view line);
    // The same of `words`, a shell's file and its argv `-c LINE`: that file with that argv
    // replaces this process.
    int run_in_place(std::span<const std::string_view> words, char** arguments);

  private:
    // Nothing: not native, and nothing was done.
    std::expected<Evaluation, Decline> run_native(std::string_view line);
    // Nothing: the line falls back, for that reason.
    std::expected<int, Decline> run_before_exec(std::string_view line);
    void become(const char* file, char* const* arguments, std::string_view line,
                const std::string& reason) const;
    // A line that is no more than a batch, with what it reads (batch_line.cpp); nothing: it isn't,
    // or nothing of it is native.
    std::optional<int> run_batch(std::string_view line, bool last);
    // What a program that ends in `|cat` prints; nothing: it isn't native, changes something, or
    // would still be printing while its reader acts.
    std::optional<std::string> output_of(const std::string& program, const std::string& shell);
    void name_failures(const Prepared& prepared, const Evaluation& evaluation) const;
    void make_way() const;

    const std::string refusal_;  // why no line may be native; empty: they may
    Engine engine_;
    Session session_{Session::Threads::some};
    ProcessFiles files_;
    CallerEnvironment caller_;
    Trace trace_;
    std::string_view function_ = "nlsh";  // for the trace
    bool spawned_ = false;
    std::optional<uint32_t> lapse_;
    bool names_failures_;
    Progress* progress_;
    Sampler sampler_;  // which lines are run both ways (NLSH_VERIFY)
};

struct Script {
    std::string file;    // "-": standard input
    bool force = false;  // go on after a line that fails
    bool quiet = false;
};
// A file of command lines, one a line, `#` starts a comment line. Each is run by itself: a file in
// which one would act on others (carried.h) isn't begun, and what comes by a pipe ends there. Stops
// at the first line that fails and names it. The exit status: the failed line's, 1 with force; 2: a
// line can't stand by itself; 126, 127: no file that can be read.
int run_script(const Script& script);

}  // namespace nlsh
