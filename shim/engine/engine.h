// The engine of all ways: command line -> program -> output and status.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backend/context.h"
#include "backend/names/files.h"
#include "backend/shell/evaluate.h"
#include "parser/program.h"

namespace nlsh {

// The parts of a caller's environment that decide how its line is parsed.
struct CallerEnvironment {
    std::string path;              // $PATH; empty: unset, so the shell's default counts
    bool any_file = false;         // false: redirections only to /proc/sys and /dev/null
    bool own = false;              // the caller is this process
    bool plain_locale = true;      // C, POSIX or C.UTF-8, which filters imitate
    bool utf8 = false;             // C.UTF-8
    bool system_programs = false;  // look only at system directories: an untrusted caller could
                                   // make other look-ups take long
    std::string unsupported;       // a set variable that changes more than we imitate: decline
    ColorWishes colors = {};
    // Functions that bash would import. The server's clients check this themselves.
    std::vector<std::string> functions = {};
    bool operator==(const CallerEnvironment&) const = default;
};

// A line that is native as a whole. Immutable; threads may share it.
struct Prepared {
    Program program;
    std::shared_ptr<const NameTables> names;
    std::vector<std::string> names_of_commands = {};  // if the engine counts commands
    ColorWishes colors = {};
};

// Thread-safe. Lives as long as the process.
class Engine {
  public:
    // For the first `unwatched` lines, compares the stamps of all files (20 µs a line). A watch on
    // the files avoids that, but closing the watch when the process ends costs 4 to 14 ms.
    //   foreign: the process belongs to another program, which may close our descriptors.
    //   script: compares stamps after doubt(), or if the last comparison is older than a
    //     millisecond (a younger change may come too late for the real ip, too).
    //   commands: the same, for commands that another program's shell has read.
    // counted: lines get the names of their commands.
    enum class Process : uint8_t { own, foreign, script, commands };
    using Clock = std::chrono::steady_clock;
    explicit Engine(unsigned unwatched = 0, Process process = Process::own, bool counted = false);
    ~Engine();

    // For a script: the next line compares stamps. Call it after an action that may have changed a
    // file, or waited for a change.
    void doubt();
    // While the file exists, switched_off() is true. The engine watches the file like others.
    void obey(const std::string& kill_switch);
    bool switched_off(Clock::time_point now);
    // The most parsed lines in a generation of the cache. Use few if lines hardly ever repeat: a
    // line outside the processor's cache costs more than parsing.
    void remember(size_t lines);
    // Empties the cache of lines.
    void forget();
    // Checks every cached answer before it expires, and parses recent lines again, which saves the
    // next call 0.1 ms. For an idle thread, about every half second.
    void renew();
    // Parses the line, or finds it in the cache. now: a recent time; checks made at this time
    // aren't repeated. The error says why the line falls back.
    std::expected<std::shared_ptr<const Prepared>, Decline> prepare(
        std::string_view line, const CallerEnvironment& caller,
        Clock::time_point now = Clock::now());
    // Whether a line since the last refresh has named a tool of an unknown build.
    bool meets_unknown_build() const;
    // The tool that a command's first word would run.
    std::optional<Tool> tool(std::string_view word, const CallerEnvironment& caller);
    // The file that the word would run; empty: none, or a relative directory comes first.
    std::string file(std::string_view word, const CallerEnvironment& caller);
    // Runs the line in the namespace of `session`. out and err are its stdout and stderr. bounded:
    // the caller holds all output. So declines a show of more than 1 MiB, and a line that writes
    // more than `bounded` bytes before its first change. Decline: nothing has run or been written,
    // so the line falls back. std::bad_alloc: a part may have run.
    static std::expected<Evaluation, Decline> run(const Prepared& prepared, Session& session,
                                                  Sink& out, Sink& err, Files& files,
                                                  std::optional<size_t> bounded = {});

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace nlsh
