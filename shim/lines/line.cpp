#include "shim/lines/line.h"

#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "shim/engine/caller.h"
#include "shim/engine/own_rights.h"
#include "shim/files/descriptor_output.h"
#include "shim/lines/carried.h"
#include "shim/lines/environment.h"
#include "shim/lines/line_reader.h"
#include "shim/lines/progress.h"
#include "shim/log/message.h"
#include "shim/process/exec_line.h"
#include "shim/process/exit_status.h"
#include "shim/replay/first_use.h"
#include "shim/verify/in_process.h"
#include "shim/wire/lapse_file.h"

namespace nlsh {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t remembered = 16;

int run_shell(const std::string& line) {
    const int status = system(line.c_str());
    return status == -1 ? 127 : exit_status(status);
}

// Removes the progress bar before something is written.
class WatchedOutput final : public DescriptorOutput {
  public:
    WatchedOutput(int descriptor, bool killable, Progress* progress)
        : DescriptorOutput(descriptor, killable), progress_(progress) {}
    bool write(std::string_view bytes) override {
        if (progress_ != nullptr) progress_->hide();
        return DescriptorOutput::write(bytes);
    }

  private:
    Progress* progress_;
};

// While a line runs, a closed output ends its command, as in a shell, not this process. A monitor
// still dies of SIGPIPE, because it doesn't end otherwise and isn't part of a list.
class PipeSignal {
  public:
    explicit PipeSignal(bool list) : ignored_(list) {
        struct sigaction ignore{};
        ignore.sa_handler = SIG_IGN;
        sigaction(SIGPIPE, ignored_ ? &ignore : nullptr, &before_);
    }
    ~PipeSignal() {
        if (ignored_) sigaction(SIGPIPE, &before_, nullptr);
    }
    PipeSignal(const PipeSignal&) = delete;
    PipeSignal& operator=(const PipeSignal&) = delete;
    bool kills() const { return before_.sa_handler != SIG_IGN; }

  private:
    bool ignored_;
    struct sigaction before_{};
};

// Why every line falls back; empty: lines may be native.
std::string refusal_of_lines() {
    if (const char* disabled = variable_refusal()) return disabled;
    std::string surroundings = surroundings_refusal();
    if (!surroundings.empty()) return surroundings;
    const char* rights = own_rights_refusal_of_lines();
    return rights == nullptr ? "" : rights;
}

}  // namespace

LineRunner::LineRunner(Naming naming, Progress* progress)
    : refusal_(refusal_of_lines()),
      engine_(0, Engine::Process::script),
      caller_(own_environment(true)),
      names_failures_(naming == Naming::always ||
                      (naming == Naming::on_terminal && isatty(STDERR_FILENO) == 1)),
      progress_(progress),
      sampler_(own_verify_rate()) {
    engine_.remember(remembered);
    complain_of_environment();
}

LineRunner::LineRunner(const Spawned& spawned)
    : refusal_(refusal_of_lines()),
      engine_(0, Engine::Process::script),
      caller_(own_environment(true)),
      function_(spawned.function),
      spawned_(true),
      lapse_(spawned.lapse),
      names_failures_(false),
      progress_(nullptr),
      sampler_(spawned.second_look ? 1 : own_verify_rate()) {
    trace_.spawned(spawned.why);
}

std::optional<Spawned> spawned_for(std::string_view name) {
    constexpr std::string_view start = "nlsh --for=";
    if (!name.starts_with(start)) return {};
    name.remove_prefix(start.size());
    const size_t end = std::min(name.find(':'), name.size());
    Spawned spawned{.function = name.substr(0, end),
                    .lapse = {},
                    .why = name.substr(std::min(end + 1, name.size()))};
    if (const size_t at = spawned.function.find('@'); at != spawned.function.npos) {
        constexpr int hexadecimal = 16;
        uint32_t lapse = 0;
        std::from_chars(name.data() + at + 1, name.data() + end, lapse, hexadecimal);
        spawned.lapse = lapse;
        spawned.function = spawned.function.substr(0, at);
    }
    spawned.second_look = spawned.function.ends_with('+');
    if (spawned.second_look) spawned.function.remove_suffix(1);
    return spawned;
}

void LineRunner::make_way() const {
    if (progress_ != nullptr) progress_->hide();
}

void LineRunner::name_failures(const Prepared& prepared, const Evaluation& evaluation) const {
    if (!names_failures_ || evaluation.status == 0 || prepared.program.commands < 2) return;
    if (evaluation.failures.empty()) return;
    make_way();
    say("nlsh: {}\n", describe_failure(evaluation));
}

std::expected<Evaluation, Decline> LineRunner::run_native(std::string_view line) {
    if (!refusal_.empty()) return declined(refusal_);
    if (access(kill_switch_.c_str(), F_OK) == 0) return declined(kill_switch_is_on);
    const auto start = Clock::now();
    const auto prepared = engine_.prepare(line, caller_, start);
    if (!prepared) {
        if (engine_.meets_unknown_build()) qualify_at_first_use();
        return std::unexpected(prepared.error());
    }
    // A shell whose monitor dies of SIGPIPE has another status than nlsh would have.
    if (spawned_ && (*prepared)->program.endless) return declined("monitor");
    if ((*prepared)->program.read_only && sampler_.due((*prepared)->program)) {
        make_way();
        if (const auto status = verify_line(line, **prepared, session_, files_))
            return Evaluation{.status = *status, .failures = {}};
    }
    // A spawned nlsh acts as a shell, so even its only command counts as a child.
    const PipeSignal signal(spawned_ || (*prepared)->program.commands > 1);
    WatchedOutput out(STDOUT_FILENO, signal.kills(), progress_);
    WatchedOutput err(STDERR_FILENO, signal.kills(), progress_);
    const size_t written = files_.written();
    const auto evaluation = Engine::run(**prepared, session_, out, err, files_);
    if (out.used() || err.used() || files_.written() != written) doubt();
    if (!evaluation) return std::unexpected(evaluation.error());
    trace_.native(function_, line, *evaluation, start);
    name_failures(**prepared, *evaluation);
    return *evaluation;
}

int LineRunner::run(std::string_view line) {
    const auto native = run_native(line);
    if (native) return native->signal == 0 ? native->status : 128 + native->signal;
    doubt();
    make_way();
    if (const auto batch = run_batch(line, false)) return *batch;
    trace_.fallback(function_, line, native.error().reason);
    return run_shell(std::string(line));
}

std::expected<int, Decline> LineRunner::run_before_exec(std::string_view line) {
    const auto native = run_native(line);
    if (native && native->signal != 0) raise(native->signal);
    if (native) return native->status;
    if (const auto batch = run_batch(line, true)) return *batch;
    return std::unexpected(native.error());
}

void LineRunner::become(const char* file, char* const* arguments, std::string_view line,
                        const std::string& reason) const {
    trace_.fallback(function_, line, reason);
    if (lapse_) lapse_note(*lapse_);
    // A direct system call, because the preload's execve would ask nlsh again.
    syscall(SYS_execve, file, arguments, environ);
}

int LineRunner::run_last(std::string_view line) {
    const auto status = run_before_exec(line);
    if (status) return *status;
    std::string shell = "sh", option = "-c", text(line);
    char* const arguments[] = {shell.data(), option.data(), text.data(), nullptr};
    become("/bin/sh", arguments, line, status.error().reason);
    if (!spawned_) say("nlsh: /bin/sh: {}\n", strerror(errno));
    return 127;
}

int LineRunner::run_in_place(std::span<const std::string_view> words, char** arguments) {
    const auto line =
        exec_line(words, [this](std::string_view name) { return engine_.file(name, caller_); });
    const auto status =
        line ? run_before_exec(*line) : declined("no plain command of ip, bridge or a shell");
    if (status) return *status;
    become(std::string(words[0]).c_str(), arguments, plain_exec_line(words), status.error().reason);
    return 127;
}

namespace {

// Reads the lines of a file and runs them.
class ScriptRun {
  public:
    explicit ScriptRun(const Script& script)
        : script_(script), lines_(script.file), progress_(STDERR_FILENO, terminal(script)) {}

    int run();

  private:
    static const char* terminal(const Script& script) {
        return script.quiet ? nullptr : getenv("TERM");
    }
    // The next line to run; skips comments and blank lines.
    static bool next(LineReader& lines, std::string& line, size_t& number);
    int unreadable() const;
    int cannot_stand_alone(const Carried::Fault& fault);
    void name_failure(size_t number, int status, const std::string& line);

    const Script& script_;
    LineReader lines_;
    Progress progress_;
};

bool ScriptRun::next(LineReader& lines, std::string& line, size_t& number) {
    while (lines.next(line)) {
        ++number;
        const size_t start = line.find_first_not_of(" \t");
        if (start != line.npos && line[start] != '#') return true;
    }
    return false;
}

int ScriptRun::unreadable() const {
    return fail(lines_.error() == ENOENT ? 127 : 126, "nlsh: {}: {}\n", script_.file,
                strerror(lines_.error()));
}

int ScriptRun::cannot_stand_alone(const Carried::Fault& fault) {
    progress_.hide();
    return fail(2, "nlsh: {}:{}: {}; each line is run by itself (to run a script: sh {})\n",
                script_.file, fault.line, fault.reason, script_.file);
}

void ScriptRun::name_failure(size_t number, int status, const std::string& line) {
    if (script_.quiet) return;
    progress_.hide();
    say("nlsh: {}:{}: failed with status {}: {}\n", script_.file, number, status, line);
}

int ScriptRun::run() {
    if (lines_.error() != 0) return unreadable();
    Carried carried;
    std::string line;
    size_t number = 0;
    auto ahead = lines_.again();
    while (ahead && next(*ahead, line, number)) {
        if (const auto fault = carried.next(number, line)) return cannot_stand_alone(*fault);
    }
    LineRunner runner(script_.quiet ? Naming::never : Naming::always, &progress_);
    int result = 0;
    for (number = 0; next(lines_, line, number);) {
        const auto fault = ahead ? std::nullopt : carried.next(number, line);
        if (fault) return cannot_stand_alone(*fault);
        if (lines_.waited()) runner.doubt();
        const int status = runner.run(line);
        progress_.at({.done = lines_.done(), .total = lines_.total(), .lines = number});
        if (status == 0) continue;
        name_failure(number, status, line);
        if (!script_.force) return status;
        result = 1;
    }
    return lines_.error() != 0 ? unreadable() : result;
}

}  // namespace

int run_script(const Script& script) {
    return ScriptRun(script).run();
}

}  // namespace nlsh
