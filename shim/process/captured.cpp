#include "shim/process/captured.h"

#include <poll.h>
#include <sched.h>
#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

#include "shim/files/ends.h"
#include "shim/process/exit_status.h"
#include "shim/process/pidfd_calls.h"
#include "shim/process/words.h"

namespace nlsh {
namespace {

constexpr std::array<int, 3> reset_signals{SIGPIPE, SIGINT, SIGQUIT};
char shell[] = "sh", option[] = "-c";

// In the child, between fork and exec: only system calls.
[[noreturn]] void become(const ShellRun& run, int output, int error, char* const* environment) {
    if (run.limit.count() > 0) setpgid(0, 0);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int number : reset_signals)
        signal(number, SIG_DFL);
    if (setns(run.netns, CLONE_NEWNET) != 0) _exit(126);
    if (!run.directory.empty() && chdir(run.directory.c_str()) != 0) _exit(126);
    if (run.standard_input >= 0) dup2(run.standard_input, 0);
    dup2(output, 1);
    dup2(error, 2);
    std::array<char*, 4> words{shell, option, const_cast<char*>(run.line.c_str()), nullptr};
    execve("/bin/sh", words.data(), environment);
    _exit(127);
}

// In this process's own network namespace posix_spawn() suffices, which doesn't copy the process.
std::expected<pid_t, int> spawn(const ShellRun& run, int output, int error,
                                char* const* environment) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    sigset_t none, reset;
    sigemptyset(&none);
    sigemptyset(&reset);
    for (const int number : reset_signals)
        sigaddset(&reset, number);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &reset);
    const short group = run.limit.count() > 0 ? POSIX_SPAWN_SETPGROUP : 0;
    posix_spawnattr_setflags(
        &attributes, static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group));
    if (!run.directory.empty())
        posix_spawn_file_actions_addchdir_np(&actions, run.directory.c_str());
    if (run.standard_input >= 0) posix_spawn_file_actions_adddup2(&actions, run.standard_input, 0);
    posix_spawn_file_actions_adddup2(&actions, output, 1);
    posix_spawn_file_actions_adddup2(&actions, error, 2);
    std::array<char*, 4> words{shell, option, const_cast<char*>(run.line.c_str()), nullptr};
    pid_t child = -1;
    const int failed =
        posix_spawn(&child, "/bin/sh", &actions, &attributes, words.data(), environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return failed == 0 ? std::expected<pid_t, int>(child) : std::unexpected(failed);
}

std::expected<pid_t, int> start(const ShellRun& run, int output, int error,
                                char* const* environment) {
    if (run.netns < 0) return spawn(run, output, error, environment);
    const pid_t child = fork();
    if (child == 0) become(run, output, error, environment);
    return child > 0 ? std::expected<pid_t, int>(child) : std::unexpected(errno);
}

// The time that is left for poll().
class Limit {
  public:
    explicit Limit(std::chrono::milliseconds limit)
        : none_(limit.count() == 0), end_(now() + limit) {}
    int left() const {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(end_ - now()).count();
        return none_ ? -1 : static_cast<int>(std::max<int64_t>(left, 0));
    }

  private:
    static std::chrono::steady_clock::time_point now() { return std::chrono::steady_clock::now(); }

    const bool none_;
    const std::chrono::steady_clock::time_point end_;
};

// Reads both pipes until they end, and waits for the process. False: the limit came first.
bool collect(const Ends& output, const Ends& error, int process, const Limit& limit,
             Captured& captured) {
    std::array<pollfd, 3> waits{
        {{output.near.get(), POLLIN, 0}, {error.near.get(), POLLIN, 0}, {process, POLLIN, 0}}};
    std::array<std::string*, 2> texts{&captured.output, &captured.error};
    while (std::ranges::any_of(waits, [](const pollfd& each) { return each.fd >= 0; })) {
        const int ready = poll(waits.data(), waits.size(), limit.left());
        if (ready == 0) return false;
        if (ready < 0) continue;
        for (size_t i = 0; i < texts.size(); ++i) {
            if (waits[i].fd < 0 || waits[i].revents == 0) continue;
            std::array<char, 16384> buffer;
            const ssize_t got = read(waits[i].fd, buffer.data(), buffer.size());
            if (got > 0) texts[i]->append(buffer.data(), static_cast<size_t>(got));
            if (got == 0 || (got < 0 && errno != EINTR)) waits[i].fd = -1;
        }
        if (waits[2].revents != 0) waits[2].fd = -1;
    }
    return true;
}

}  // namespace

std::expected<Captured, int> run_captured(const ShellRun& run) {
    const std::vector<char*> environment = pointers(run.environment);
    Ends output = make_pipe(), error = make_pipe();
    if (!output || !error) return std::unexpected(errno);
    const auto child = start(run, output.far.get(), error.far.get(), environment.data());
    if (!child) return std::unexpected(child.error());
    output.far.reset();
    error.far.reset();
    Captured captured;
    const bool limited = run.limit.count() > 0;
    // Without a limit, waitpid() waits. If others have reaped the process, there is no descriptor.
    const Descriptor process = limited ? open_process(*child) : Descriptor();
    const bool in_time = collect(output, error, process.get(), Limit(run.limit), captured);
    if (!in_time) kill(-*child, SIGKILL);
    captured.wait_status = wait_for_end(*child, -1);
    if (!in_time) return std::unexpected(ETIMEDOUT);
    return captured;
}

}  // namespace nlsh
