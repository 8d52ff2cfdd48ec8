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

// The preload has started this process in the place of a shell (popen, system) or of a program that
// a process would have become (exec, spawn).
struct Spawned {
    std::string_view function;      // popen, system, exec or spawn
    std::optional<uint32_t> lapse;  // hash to note if the line falls back (lapse_file.h)
    std::string_view why;           // no server serves the caller
    bool second_look = false;       // an engine in the caller's process asks for it
};
// Reads argv[0], "nlsh --for=FUNCTION[+][@LAPSE][:WHY]"; nullopt: another name.
std::optional<Spawned> spawned_for(std::string_view name);

// Whether the command of a chain that failed is named on stderr.
enum class Naming : uint8_t { never, on_terminal, always };

// What lines in one process share: the engine, the sockets, where traces go.
class LineRunner {
  public:
    // progress: a bar on the terminal, hidden while something else is written there.
    explicit LineRunner(Naming naming, Progress* progress = nullptr);
    // Prints no messages that a shell wouldn't print.
    explicit LineRunner(const Spawned& spawned);

    // Runs natively, or by the real shell in a child. The exit status as a shell gives it (128+N
    // for signals).
    int run(std::string_view line);
    // Results cached for earlier lines may be outdated.
    void doubt() { engine_.doubt(); }
    // As run(), but a line that isn't native replaces this process by the shell. For the last line.
    int run_last(std::string_view line);
    // As run_last() for `words`, a shell's file and its argv `-c LINE`: if the line isn't native,
    // that file with that argv replaces this process.
    int run_in_place(std::span<const std::string_view> words, char** arguments);

  private:
    // Decline: not native, and nothing was done.
    std::expected<Evaluation, Decline> run_native(std::string_view line);
    // Decline: the line falls back, for that reason.
    std::expected<int, Decline> run_before_exec(std::string_view line);
    void become(const char* file, char* const* arguments, std::string_view line,
                const std::string& reason) const;
    // Runs a line that is just a batch, with what it reads (batch_line.cpp). nullopt: another line,
    // or none of its commands is native.
    std::optional<int> run_batch(std::string_view line, bool last);
    // What a program that ends in `|cat` prints; nothing: it isn't native, changes something, or
    // would still be printing while its reader acts.
    std::optional<std::string> output_of(const std::string& program, const std::string& shell);
    void name_failures(const Prepared& prepared, const Evaluation& evaluation) const;
    void make_way() const;

    const std::string refusal_;  // why all lines fall back; empty: they don't
    const std::string kill_switch_ = own_kill_switch();
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
// Runs a file of command lines; `#` starts a comment line. Each line is run by itself. If a line
// depends on an earlier one (carried.h), a file isn't begun, and lines from a pipe end there with
// status 2. Stops at the first line that fails, names it, and returns its status (1 with force).
// 126, 127: the file can't be read.
int run_script(const Script& script);

}  // namespace nlsh
