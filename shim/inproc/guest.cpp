#include "shim/inproc/guest.h"

#include <sys/mman.h>
#include <sys/wait.h>

#include <atomic>
#include <chrono>
#include <clocale>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "backend/shell/streams.h"
#include "shim/batch/own_process.h"
#include "shim/engine/caller.h"
#include "shim/engine/disabled.h"
#include "shim/engine/engine.h"
#include "shim/engine/own_rights.h"
#include "shim/inproc/guest_streams.h"
#include "shim/inproc/kept_sessions.h"
#include "shim/inproc/own_stack.h"
#include "shim/peer/proc_files.h"
#include "shim/process/exec_line.h"
#include "shim/process/trace.h"
#include "shim/verify/compare.h"

namespace nlsh {
namespace {

using Clock = std::chrono::steady_clock;

// The status if the command's shell was killed: the call can't be completed, nor run again.
constexpr int cut_off = 128 + SIGKILL;
// Lines before an inotify instance is made: closing one costs a short-lived process 10 ms.
constexpr unsigned unwatched = 10;
// How long checks of the process are cached, as checks of files are (engine.h).
constexpr auto process_believed = std::chrono::milliseconds(1);
// How long the capabilities that decide nothing about the network or files are taken to stay in the
// bounding set: the kernel tells them one by one, 0.2 µs each.
constexpr auto bounding_believed = std::chrono::seconds(1);

struct Answerer {
    explicit Answerer(Engine::Process process) : engine(unwatched, process) {}
    Engine engine;
    Sampler sampler{own_verify_rate()};  // the real tools are never started from here
};

// Zeroed in a forked child: the fork may have interrupted another thread anywhere, and the watch
// belongs to the parent.
struct State {
    std::atomic<Answerer*> answerer;
    OwnStacks stacks;
    KeptSessions sessions;
    std::atomic<Clock::rep> process_seen;   // when the process was last found fit
    std::atomic<Clock::rep> bounding_seen;  // the same, with its whole bounding set

    Answerer& get(Engine::Process process, const char* kill_switch = "") {
        if (Answerer* present = answerer.load(std::memory_order_acquire)) return *present;
        auto* fresh = new Answerer(process);
        fresh->engine.obey(kill_switch);
        Answerer* none = nullptr;
        if (answerer.compare_exchange_strong(none, fresh)) return *fresh;
        delete fresh;
        return *none;
    }
};

State* make_state() {
    void* memory =
        mmap(nullptr, sizeof(State), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    if (madvise(memory, sizeof(State), MADV_WIPEONFORK) != 0) {
        munmap(memory, sizeof(State));
        return nullptr;
    }
    return static_cast<State*>(memory);  // zeroes are a valid State
}

// Made when the library is loaded, because a signal handler may call first.
State* const state = make_state();

struct Job {
    nlsh_engine_call& call;
    State& state;
    bool done = false;
};

void say(const nlsh_engine_call& call, std::string_view text) {
    if (call.text == nullptr) return;
    text = text.substr(0, NLSH_TEXT_MAX);
    std::memcpy(call.text, text.data(), text.size());
    call.text[text.size()] = 0;
}

// The line's wait status; nullopt: it fell back.
std::optional<int> evaluate_line(const Job& job, const Prepared& prepared,
                                 const sigset_t& callers) {
    const nlsh_engine_call& call = job.call;
    KeptSessions::Lease lease(job.state.sessions);
    ProcFiles files;
    PipeOutput pipe(call.output);
    GuestOutput out(call.output, callers);
    GuestOutput err(STDERR_FILENO, callers);
    const bool popen = call.kind == NLSH_POPEN;
    Sink& output = popen ? static_cast<Sink&>(pipe) : out;
    // popen's reader waits for the end of the line.
    const auto bounded = popen ? std::optional(Hold::limit) : std::nullopt;
    const auto evaluation = Engine::run(prepared, lease.session(), output, err, files, bounded);
    if (!evaluation) {
        say(call, evaluation.error().reason);
        return {};
    }
    if (call.text != nullptr) say(call, describe_failure(*evaluation));
    if (!pipe.finish()) return W_EXITCODE(cut_off, 0);
    return W_EXITCODE(evaluation->signal == 0 ? evaluation->status & 0xff : 0, evaluation->signal);
}

void answer(void* argument, const sigset_t& callers) {
    Job& job = *static_cast<Job*>(argument);
    nlsh_engine_call& call = job.call;
    try {
        auto& [engine, sampler] = job.state.get(Engine::Process::foreign, call.kill_switch);
        const auto now = Clock::now();
        if (engine.switched_off(now)) return say(call, "the kill switch is on");
        const CallerEnvironment caller = own_environment(false);
        const auto prepared = engine.prepare(call.line, caller, now);
        if (!prepared) {
            if (is_native_in_own_process(engine, call.line, caller))
                call.status = NLSH_ENGINE_ELSEWHERE;
            return say(call, prepared.error().reason);
        }
        const Program& program = (*prepared)->program;
        if (program.read_only && sampler.due(program)) {
            call.status = NLSH_ENGINE_LOOK;
            return say(call, "to be compared with the real tools");
        }
        job.done = true;  // a later exception may leave a part done
        call.status = W_EXITCODE(cut_off, 0);
        const auto status = evaluate_line(job, **prepared, callers);
        job.done = status.has_value();
        if (status) call.status = *status;
    } catch (...) {
        say(call, "no memory");
    }
}

struct CommandJob {
    nlsh_engine_command& command;
    State& state;
    bool done = false;
};

std::vector<std::string_view> words_of(const nlsh_engine_command& command) {
    std::vector<std::string_view> words{command.file};
    for (const char* const* word = command.words; *word != nullptr; ++word)
        words.emplace_back(*word);
    return words;
}

bool is_younger(Clock::rep seen, Clock::time_point now, Clock::duration oldest) {
    return now.time_since_epoch() - Clock::duration(seen) < oldest;
}

// Whether the process was checked lately. Its own changes of rights, limits, directory and
// namespaces set `doubt`; others' changes could also come too late for the real ip.
bool is_as_seen(const CommandJob& job, Clock::time_point now) {
    return job.command.doubt == 0 && is_younger(job.state.process_seen, now, process_believed);
}

const char* look_at_process(State& state, Clock::time_point now) {
    const bool whole = !is_younger(state.bounding_seen, now, bounding_believed);
    const char* reason =
        own_rights_refusal_of_lines(whole ? EXEC_EVERY_CAPABILITY : EXEC_LINE_CAPABILITIES);
    if (reason == nullptr) reason = own_limits_refusal();
    if (reason == nullptr) reason = process_refusal();
    const Clock::rep seen = reason == nullptr ? now.time_since_epoch().count() : 0;
    state.process_seen = seen;
    if (whole || seen == 0) state.bounding_seen = seen;
    return reason;
}

// Why the command falls back; empty: it doesn't.
std::string refusal(const char* of_process) {
    const char* reason = of_process == nullptr ? outputs_refusal() : of_process;
    return reason == nullptr ? disabled_reason() : reason;
}

std::expected<Evaluation, Decline> evaluate_words(CommandJob& job,
                                                  std::span<const std::string_view> words,
                                                  const sigset_t& callers) {
    const auto now = Clock::now();
    const bool as_seen = is_as_seen(job, now);
    if (std::string reason = refusal(as_seen ? nullptr : look_at_process(job.state, now));
        !reason.empty())
        return declined(std::move(reason));
    const auto line = exec_line(words);
    if (!line) return declined("no plain command of ip or bridge");
    Engine& engine = job.state.get(Engine::Process::commands).engine;
    if (job.command.doubt != 0) engine.doubt();
    const auto prepared = engine.prepare(*line, own_environment_of_command(), now);
    if (!prepared) return std::unexpected(prepared.error());
    KeptSessions::Lease lease(job.state.sessions, as_seen);
    ProcFiles files;
    GuestOutput out(STDOUT_FILENO, callers);
    GuestOutput err(STDERR_FILENO, callers);
    job.done = true;  // a later exception may leave a part done
    job.command.status = cut_off;
    auto evaluation = Engine::run(**prepared, lease.session(), out, err, files);
    job.done = evaluation.has_value();
    return evaluation;
}

// ip doesn't know the locale that bash has set.
class PlainLocale {
  public:
    PlainLocale() : before_(uselocale(newlocale(LC_ALL_MASK, "C", nullptr))) {}
    ~PlainLocale() { uselocale(before_); }
    PlainLocale(const PlainLocale&) = delete;
    PlainLocale& operator=(const PlainLocale&) = delete;

  private:
    locale_t before_;  // glibc has one object for "C"
};

void answer_command(void* argument, const sigset_t& callers) {
    CommandJob& job = *static_cast<CommandJob*>(argument);
    const PlainLocale plain;
    try {
        const Trace trace;
        const auto start = trace.on() ? Clock::now() : Clock::time_point();
        const auto words = words_of(job.command);
        const auto evaluation = evaluate_words(job, words, callers);
        if (evaluation)
            job.command.status =
                evaluation->signal == 0 ? evaluation->status & 0xff : 128 + evaluation->signal;
        if (!trace.on()) return;
        if (!evaluation)
            return trace.fallback("builtin", plain_exec_line(words), evaluation.error().reason);
        trace.native("builtin", plain_exec_line(words), *evaluation, start);
    } catch (...) {  // no memory
    }
}

bool usable(uint32_t version) {
    return state != nullptr && version == NLSH_ENGINE_VERSION;
}

}  // namespace

bool run_as_guest(nlsh_engine_command& command) {
    if (!usable(command.version)) return false;
    CommandJob job{.command = command, .state = *state};
    return state->stacks.run(answer_command, &job) && job.done;
}

bool run_as_guest(nlsh_engine_call& call) {
    if (!usable(call.version)) return false;
    Job job{.call = call, .state = *state};
    return state->stacks.run(answer, &job) && job.done;
}

}  // namespace nlsh
