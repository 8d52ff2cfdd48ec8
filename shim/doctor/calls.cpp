// Checks which way calls take, what prevents a faster way, and what to do.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "shim/doctor/check.h"
#include "shim/doctor/trial.h"
#include "shim/run/run.h"

namespace nlsh {
namespace {

using State = Check::State;

struct Advice {
    std::string_view reason;  // a part of the reason
    std::string_view text;
};
constexpr std::array<Advice, 11> advices{{
    {"no server", "start one where the program runs: nlsh serve (or set NLSH_SOCKET)"},
    {"server doesn't answer", "check it by `nlsh stats`, or restart it"},
    {"another user's", "NLSH_SOCKET must name a server that root runs"},
    {"not root", "`nlsh -c`, NLSH_ENGINE=inproc and the PATH shim serve any user"},
    {"mount namespace", "run a server in the program's container, or without a mount namespace"},
    {"another root", "run a server in the program's root directory"},
    {"other capabilities", "start the server with the program's capabilities"},
    {"seccomp", "`nlsh -c` and the PATH shim work under a system call filter"},
    {"confined", "`nlsh -c` and the PATH shim work with no_new_privs"},
    {"kill switch", "remove the file: `nlsh doctor` names it"},
    {"disabled", "unset NLSH_DISABLE"},
}};

std::string with_advice(const std::string& reason) {
    const auto* found = std::ranges::find_if(advices, [&](const Advice& advice) {
        return reason.find(advice.reason) != std::string::npos;
    });
    return found == advices.end() ? reason : fmt::format("{}: {}", reason, found->text);
}

Check check_of(const std::string& who, const std::expected<Trial, std::string>& trial,
               const char* function) {
    Check check{.name = fmt::format("{}, {}", who, function), .found = {}, .advice = {}};
    if (!trial) {
        check.state = State::warning;
        check.found = "can't be tried";
        check.advice = trial.error();
    } else if (!trial->native) {
        check.state = State::failed;
        check.found = "falls back to the real ip";
        check.advice = with_advice(trial->reason);
    } else if (trial->way.starts_with("spawned")) {
        check.state = State::warning;
        check.found = "native, by a spawned nlsh";
        check.advice = with_advice(trial->way);
    } else {
        check.found = trial->way.empty() ? "native" : fmt::format("native ({})", trial->way);
    }
    return check;
}

}  // namespace

bool check_calls(Checks& checks, const std::string& who, const ProcessView& process) {
    bool any_native = false;
    Checks found;
    for (const char* function : {"popen", "system", "exec"}) {
        const auto trial = try_call(process, function);
        any_native = any_native || (trial && trial->native);
        found.push_back(check_of(who, trial, function));
    }
    for (Check& check : found) {
        if (any_native && check.state == State::failed) check.state = State::warning;
        checks.push_back(std::move(check));
    }
    return any_native;
}

void check_own_calls(Checks& checks, const std::string& socket_prefix) {
    auto self = view_process(getpid());
    if (!self) {
        checks.push_back({"calls from here", State::warning, "can't be tried", self.error()});
        return;
    }
    self->preload = preload_path();
    std::erase_if(self->environment,
                  [](const std::string& entry) { return entry.starts_with("NLSH_SOCKET="); });
    self->environment.push_back("NLSH_SOCKET=" + socket_prefix);
    if (!self->preload.empty()) check_calls(checks, "calls from here", *self);
    checks.push_back(check_of("calls from here", try_nlsh(), "nlsh -c"));
}

}  // namespace nlsh
