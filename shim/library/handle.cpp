#include "shim/library/handle.h"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "shim/engine/caller.h"
#include "shim/engine/disabled.h"
#include "shim/engine/own_rights.h"
#include "shim/peer/proc_files.h"
#include "shim/process/captured.h"
#include "shim/process/exit_status.h"
#include "shim/process/words.h"
#include "shim/wire/client.h"

namespace nlsh {
namespace {

// Lines before the engine starts to watch the files that it reads (engine.h).
constexpr unsigned unwatched = 10;
constexpr int cut_off = 128 + SIGKILL;
constexpr int unknown = -1;

int status_of(int wait_status) {
    return wait_status == unknown ? unknown : exit_status(wait_status);
}

// As in the preload: a second, unless $NLSH_TIMEOUT_MS is a number above 0.
std::chrono::milliseconds patience() {
    constexpr std::chrono::milliseconds usual{1000};
    const char* text = secure_getenv("NLSH_TIMEOUT_MS");
    const int given = text != nullptr ? atoi(text) : 0;
    return given > 0 ? std::chrono::milliseconds(given) : usual;
}

// Runs the line by the real shell, and captures all output.
std::expected<Outcome, int> run_real(const std::string& line) {
    auto captured = run_captured({.line = line, .environment = texts_of(environ), .directory = {}});
    if (!captured) return std::unexpected(captured.error());
    return Outcome{.status = status_of(captured->wait_status),
                   .output = std::move(captured->output),
                   .error = std::move(captured->error)};
}

}  // namespace

Library::Library(std::string server)
    : server_(std::move(server)),
      owner_(getpid()),
      patience_(patience()),
      engine_(server_.empty() ? std::make_unique<Engine>(unwatched, Engine::Process::foreign)
                              : nullptr) {}

std::expected<Outcome, Decline> Library::run_here(const std::string& line) {
    if (const char* reason = own_rights_refusal_of_lines()) return declined(reason);
    const auto prepared = engine_->prepare(line, own_environment(false));
    if (!prepared) return std::unexpected(prepared.error());
    Session session;  // new sockets in this thread's namespace, for this line only
    ProcFiles files;
    StringOutput output, error;
    Outcome outcome{.status = cut_off};
    try {
        auto evaluation = Engine::run(**prepared, session, output, error, files);
        if (!evaluation) return std::unexpected(evaluation.error());
        outcome.status = evaluation->status & 0xff;
        outcome.failures = std::move(evaluation->failures);
    } catch (const std::bad_alloc&) {  // a part may have run: don't run the line again
    }
    outcome.output = std::move(output.text);
    outcome.error = std::move(error.text);
    return outcome;
}

std::expected<Outcome, Decline> Library::ask(const std::string& line) const {
    const std::string environment = own_variables();
    auto answer =
        ask_server(server_, {.line = line, .environment = environment, .patience = patience_});
    if (!answer) return declined(answer.error());
    return Outcome{.status = status_of(answer->wait_status),
                   .output = std::move(answer->output),
                   .error = std::move(answer->error),
                   .failures = std::move(answer->failures)};
}

std::expected<Outcome, Decline> Library::run_native(const std::string& line) {
    if (getpid() != owner_) return declined("the handle was opened before a fork");
    if (const std::string reason = disabled_reason(); !reason.empty()) return declined(reason);
    return server_.empty() ? run_here(line) : ask(line);
}

std::expected<Outcome, int> Library::run(const std::string& line) {
    const auto start = Trace::Clock::now();
    auto native = run_native(line);
    if (native) {
        trace_.native("libnlsh", line,
                      Evaluation{.status = native->status, .failures = native->failures}, start);
        return std::move(*native);
    }
    std::string reason = std::move(native.error().reason);
    if (reason.empty()) reason = "declined";
    trace_.fallback("libnlsh", line, reason);
    auto real = run_real(line);
    if (real) real->fallback = std::move(reason);
    return real;
}

}  // namespace nlsh
