#include "shim/engine/captured.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

namespace nlsh {
namespace {

// The two ends of a pipe, closed when they are given up.
class PipeEnds {
  public:
    PipeEnds() {
        if (pipe2(ends_.data(), O_CLOEXEC) != 0) ends_ = {-1, -1};
    }
    ~PipeEnds() {
        close_end(0);
        close_end(1);
    }
    bool good() const { return ends_[0] >= 0; }
    int end(size_t which) const { return ends_[which]; }
    void close_end(size_t which) {
        if (ends_[which] >= 0) close(ends_[which]);
        ends_[which] = -1;
    }

  private:
    std::array<int, 2> ends_{-1, -1};
};

// In the child, between fork and exec: only system calls.
[[noreturn]] void become(const ShellRun& run, int output, int error, char* const* environment) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    signal(SIGQUIT, SIG_DFL);
    if (run.netns >= 0 && setns(run.netns, CLONE_NEWNET) != 0) _exit(126);
    if (!run.directory.empty() && chdir(run.directory.c_str()) != 0) _exit(126);
    if (run.standard_input >= 0) dup2(run.standard_input, 0);
    dup2(output, 1);
    dup2(error, 2);
    char shell[] = "sh", option[] = "-c";
    std::array<char*, 4> words{shell, option, const_cast<char*>(run.line.c_str()), nullptr};
    execve("/bin/sh", words.data(), environment);
    _exit(127);
}

// Reads both pipes until they end.
void collect(PipeEnds& output, PipeEnds& error, Captured& captured) {
    std::array<pollfd, 2> waits{{{output.end(0), POLLIN, 0}, {error.end(0), POLLIN, 0}}};
    std::array<std::string*, 2> texts{&captured.output, &captured.error};
    while (waits[0].fd >= 0 || waits[1].fd >= 0) {
        poll(waits.data(), waits.size(), -1);
        for (size_t i = 0; i < waits.size(); ++i) {
            if (waits[i].fd < 0 || waits[i].revents == 0) continue;
            std::array<char, 16384> buffer;
            const ssize_t got = read(waits[i].fd, buffer.data(), buffer.size());
            if (got > 0) texts[i]->append(buffer.data(), static_cast<size_t>(got));
            if (got == 0 || (got < 0 && errno != EINTR)) waits[i].fd = -1;
        }
    }
}

}  // namespace

std::expected<Captured, int> run_captured(const ShellRun& run) {
    std::vector<char*> environment;
    for (const std::string& variable : run.environment)
        environment.push_back(const_cast<char*>(variable.c_str()));
    environment.push_back(nullptr);
    PipeEnds output, error;
    if (!output.good() || !error.good()) return std::unexpected(errno);
    const pid_t child = fork();
    if (child < 0) return std::unexpected(errno);
    if (child == 0) become(run, output.end(1), error.end(1), environment.data());
    output.close_end(1);
    error.close_end(1);
    Captured captured;
    collect(output, error, captured);
    while (waitpid(child, &captured.wait_status, 0) < 0 && errno == EINTR) {
    }
    return captured;
}

}  // namespace nlsh
