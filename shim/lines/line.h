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

// Set if the preload started this process in the place of a shell (popen, system) or of an exec'd
// program (exec, spawn).
struct Spawned {
    std::string_view function;      // popen, system, exec or spawn
    std::optional<uint32_t> lapse;  // hash to note if the line falls back (lapse_file.h)
    std::string_view why;           // why no server serves the caller
    bool second_look = false;       // compare the line with the real tools, too
};
// Reads argv[0], "nlsh --for=FUNCTION[+][@LAPSE][:WHY]"; nullopt: another name.
std::optional<Spawned> spawned_for(std::string_view name);

// Whether to name a chain's failed command on stderr.
enum class Naming : uint8_t { never, on_terminal, always };

// Runs lines, which share the engine, the sockets and the trace.
class LineRunner {
  public:
    // progress: a bar on the terminal, hidden while something else is written there.
    explicit LineRunner(Naming naming, Progress* progress = nullptr);
    // Prints no messages that a shell wouldn't print.
    explicit LineRunner(const Spawned& spawned);

    // Runs the line natively, or by the real shell in a child. Returns a shell's exit status (128+N
    // for signals).
    int run(std::string_view line);
    // Call it if results cached for earlier lines may be outdated.
    void doubt() { engine_.doubt(); }
    // As run(), for the last line: if it isn't native, the shell replaces this process.
    int run_last(std::string_view line);
    // As run_last(), for `words`: a shell's file and argv (`-c LINE`). If the line isn't native,
    // this process execs that file with that argv.
    int run_in_place(std::span<const std::string_view> words, char** arguments);

  private:
    // Decline: not native, and nothing was done.
    std::expected<Evaluation, Decline> run_native(std::string_view line);
    // Decline: why the line falls back.
    std::expected<int, Decline> run_before_exec(std::string_view line);
    void become(const char* file, char* const* arguments, std::string_view line,
                const std::string& reason) const;
    // Runs a line that is just a batch with its input (batch_line.cpp). nullopt: another line, or
    // none of its commands is native.
    std::optional<int> run_batch(std::string_view line, bool last);
    // The output of a program that ends in `|cat`. nullopt: the program isn't native, changes
    // something, or might still write while its reader acts.
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
    Sampler sampler_;  // which lines to run both ways (NLSH_VERIFY)
};

struct Script {
    std::string file;    // "-": standard input
    bool force = false;  // go on after a line that fails
    bool quiet = false;
};
// Runs a file of command lines, each by itself; `#` starts a comment line. If a line depends on an
// earlier one (carried.h), runs nothing; from a pipe, stops there with status 2. Stops at the first
// line that fails, names it, and returns its status (1 with force). 126, 127: the file can't be
// read.
int run_script(const Script& script);

}  // namespace nlsh
