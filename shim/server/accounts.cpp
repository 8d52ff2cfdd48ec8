// Reports each call to the statistics, the audit and the log, and answers questions about the
// server.
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "shim/log/failure.h"
#include "shim/server/service.h"
#include "shim/stats/summary.h"

namespace nlsh {
namespace {

// The client that asks for statistics reads them at once.
constexpr int reader_wait_ms = 1000;

bool counts_processes_as_we(pid_t process) {
    struct stat own, other;
    return process > 0 && stat("/proc/self/ns/pid", &own) == 0 &&
           stat(fmt::format("/proc/{}/ns/pid", process).c_str(), &other) == 0 &&
           own.st_ino == other.st_ino;
}

}  // namespace

// Call it after the reply, so that the caller doesn't wait.
void Service::account(const Call& call, const Prepared& prepared, const Evaluation& evaluation,
                      uint64_t netns) {
    const auto now = std::chrono::steady_clock::now();
    registry_.latency().add(
        static_cast<uint64_t>(std::chrono::nanoseconds(now - call.start).count()));
    call.counters.native(prepared.names_of_commands, program(call.counters, call.client()),
                         evaluation);
    if (audit_ != nullptr && !prepared.program.read_only)
        audit_->record({.pid = call.client(),
                        .uid = call.connection.sender().uid,
                        .name = client_name(call.client()),
                        .netns = netns,
                        .line = call.line,
                        .evaluation = evaluation});
    log_.settle(now);
    if (!has_failed(evaluation)) return;
    const Level level = prepared.program.commands > 1 ? Level::warning : Level::info;
    if (!log_.takes(level)) return;
    const std::string text = failure_text(call.line, prepared.program.commands, evaluation);
    const std::string name = client_name(call.client());
    log_.write(level, fmt::format("{}[{}]: {}", name, call.client(), text), name + text);
}

std::string Service::client_name(pid_t pid) {
    std::string name = peers_.name(pid);
    return name.empty() ? "?" : name;
}

void Service::send_judgement(Connection& connection, std::string_view process) {
    const ucred& sender = connection.sender();
    pid_t pid = 0;
    std::from_chars(process.data(), process.data() + process.size(), pid);
    const char* refusal = sender.uid != 0                       ? "only root may ask that"
                          : !counts_processes_as_we(sender.pid) ? "asked from another pid namespace"
                          : pid <= 0                            ? "no process's number"
                                                                : nullptr;
    if (refusal != nullptr) {
        connection.reply({.type = NLSH_DECLINED, .text = refusal});
        return;
    }
    const std::string reason = peers_.judge(pid);
    connection.reply({.type = NLSH_DONE, .text = reason});
}

std::string_view Service::program(Counters& counters, pid_t pid) {
    return counters.program_of(pid, [&] { return peers_.name(pid); });
}

Json Service::statistics(bool reset) {
    auto document = registry_.snapshot();
    document["verify"] = {{"verified", verified_.load()},
                          {"different", different_.load()},
                          {"numbers", numbers_.load()}};
    if (audit_ != nullptr) {
        const Audit::Totals& totals = audit_->totals();
        document["audit"] = {{"written", totals.written.load()},
                             {"suppressed", totals.suppressed.load()},
                             {"unwritten", totals.unwritten.load()}};
    }
    const std::lock_guard lock(reset_mutex_);
    auto shown = at_reset_ ? difference(*at_reset_, document) : document;
    if (reset) at_reset_ = std::make_shared<const Json>(std::move(document));
    return shown;
}

void Service::send_statistics(Connection& connection, bool reset) {
    const std::string text = json_text(statistics(reset));
    std::string_view left = text;
    do {
        pollfd wait{connection.get(), POLLOUT, 0};
        const std::string_view part = left.substr(0, NLSH_OUTPUT_MAX);
        if (poll(&wait, 1, reader_wait_ms) <= 0) return;
        if (!connection.reply({.type = NLSH_DONE, .output = part})) return;
        left.remove_prefix(part.size());
    } while (!left.empty());
    connection.reply({.type = NLSH_DONE});
}

}  // namespace nlsh
