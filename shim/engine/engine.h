// The engine that every way in shares: command line -> program -> output and status.
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

// What of a caller's environment decides how its line is read.
struct CallerEnvironment {
    std::string path;  // $PATH; empty: unset, the shell's default is taken
    bool any_file =
        false;         // redirections to any file (in process), or to /proc/sys and /dev/null only
    bool own = false;  // it is this process itself
    bool plain_locale = true;      // C, POSIX or C.UTF-8: what the filters of a pipeline imitate
    bool utf8 = false;             // of these, characters are C.UTF-8's
    bool system_programs = false;  // programs elsewhere aren't looked at: the caller may not be
                                   // trusted with how long that takes
    std::string unsupported;       // a variable that is set and changes more than we know: decline
    ColorWishes colors = {};
    // Names of the functions that a bash would take from it. A client of the server looks itself.
    std::vector<std::string> functions = {};
    bool operator==(const CallerEnvironment&) const = default;
};

// A line that is native as a whole. Immutable, shareable between threads.
struct Prepared {
    Program program;
    std::shared_ptr<const NameTables> names;
    std::vector<std::string> names_of_commands = {};  // when they are counted
    ColorWishes colors = {};
};

// Thread-safe. Lives as long as the process.
class Engine {
  public:
    // The first `unwatched` lines look everything up anew (0.1 ms each): a watch on what lines are
    // read from makes that needless, but costs 4 to 14 ms when it's closed, at the process's end.
    // foreign: the process is somebody elses, who may close our descriptors. script: nothing is
    // watched; what was looked up is believed for a millisecond (a change that is younger may come
    // too late for the real one as well, once it has started), or until doubt(). commands: as that;
    // its lines are commands that somebody else's shell has read. counted:
    // its lines get the names of their commands.
    enum class Process : uint8_t { own, foreign, script, commands };
    using Clock = std::chrono::steady_clock;
    explicit Engine(unsigned unwatched = 0, Process process = Process::own, bool counted = false);
    ~Engine();

    // Of a script: something has been done after which a change of files must be seen at once, as
    // whoever made it may have waited for it, or as it was done by the script itself.
    void doubt();
    // While the file exists, switched_off() is true. It is watched as what lines are read from is.
    void obey(const std::string& kill_switch);
    bool switched_off(Clock::time_point now);
    // How many parsed lines are kept for when they come again: twice that at most. Where lines
    // hardly ever do, few: what isn't in the processor's cache costs more than to parse it.
    void remember(size_t lines);
    // The lines that are remembered.
    void forget();
    // Makes sure of everything, before it is too old to be believed, and parses again what callers
    // have asked for since the last time: a call that comes alone finds it done (0.1 ms). For a
    // thread that has the time, every half second or so.
    void renew();
    // Parses, or finds the line among those parsed lately. now: for who has just asked the clock;
    // what was looked at with the same isn't looked at again.
    // Decline: leave it to the real shell.
    std::expected<std::shared_ptr<const Prepared>, Decline> prepare(
        std::string_view line, const CallerEnvironment& caller,
        Clock::time_point now = Clock::now());
    // What a command's first word would run.
    std::optional<Tool> tool(std::string_view word, const CallerEnvironment& caller);
    // The file that it would run; empty: none, or a relative directory comes first.
    std::string file(std::string_view word, const CallerEnvironment& caller);
    // Runs in the namespace of `session`. out and err are the line's stdout and stderr.
    // bounded: all output is held. A show that writes more than is held at most (1 MiB) is
    // declined, and so is a line that has written more than so many bytes before it changes
    // something.
    // Decline: nothing was done or written, hand it over. std::bad_alloc: a part may have been.
    static std::expected<Evaluation, Decline> run(const Prepared& prepared, Session& session,
                                                  Sink& out, Sink& err, Files& files,
                                                  std::optional<size_t> bounded = {});

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace nlsh
