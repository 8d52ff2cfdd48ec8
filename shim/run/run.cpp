#include "shim/run/run.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "shim/lines/environment.h"
#include "shim/log/message.h"
#include "shim/process/exit_status.h"
#include "shim/process/places.h"
#include "shim/process/words.h"
#include "shim/run/private_directory.h"
#include "shim/server/server.h"
#include "shim/verify/compare.h"

namespace nlsh {
namespace {

constexpr auto server_start_limit = std::chrono::seconds(5);

int complain(const std::string& text) {
    return fail(127, "nlsh run: {}\n", text);
}

// Removes its directory and ends its process when destroyed.
class PrivateServer {
  public:
    bool start() {
        if (directory_.path().empty()) return false;
        process_ = fork();
        if (process_ == 0) {
            prctl(PR_SET_PDEATHSIG, SIGTERM);
            ServerSettings settings;
            settings.socket = socket();
            // The server shares the program's stderr, so it is silent unless $NLSH_LOG asks for
            // messages.
            if (const char* level = getenv("NLSH_LOG"))
                settings.log = level_of(level).value_or(Level::off);
            settings.verify = own_verify_rate();
            if (const char* file = getenv("NLSH_VERIFY_LOG")) settings.verify_log = file;
            _exit(serve(settings));
        }
        return process_ > 0 && listening();
    }
    ~PrivateServer() {
        if (process_ > 0) {
            kill(process_, SIGTERM);
            waitpid(process_, nullptr, 0);
        }
    }
    std::string socket() const { return directory_.path() + "/nlsh.sock"; }

  private:
    // Waits for the server's last socket. (The lock file comes first.)
    bool listening() const {
        const auto limit = std::chrono::steady_clock::now() + server_start_limit;
        const std::string last = socket() + "." + std::to_string(sysconf(_SC_NPROCESSORS_CONF) - 1);
        while (std::chrono::steady_clock::now() < limit) {
            if (access(last.c_str(), F_OK) == 0) return true;
            if (waitpid(process_, nullptr, WNOHANG) == process_) return false;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return false;
    }

    PrivateDirectory directory_{"run"};
    pid_t process_ = -1;
};

// In the child: never returns.
[[noreturn]] void exec_program(const std::vector<std::string>& words) {
    execvp(words[0].c_str(), pointers(words).data());
    const int status = errno == ENOENT ? 127 : 126;
    complain(fmt::format("{}: {}", words[0], strerror(errno)));
    _exit(status);
}

void set_environment(const std::string& preload, const std::string& socket) {
    const char* before = getenv("LD_PRELOAD");
    const bool others = before != nullptr && *before != 0;
    if (!preload.empty())
        setenv("LD_PRELOAD",
               others ? fmt::format("{}:{}", preload, before).c_str() : preload.c_str(), 1);
    setenv("NLSH_SOCKET", socket.c_str(), 1);
}

pid_t program_process = 0;  // for the signal handler

void pass_on(int signal) {
    if (program_process > 0) kill(program_process, signal);
}

// Waits for the program, and passes signals on, except SIGINT and SIGQUIT, which the terminal sends
// to both.
int wait_for(pid_t process) {
    program_process = process;
    struct sigaction pass{};
    pass.sa_handler = pass_on;
    for (const int signal : {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2})
        sigaction(signal, &pass, nullptr);
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    return exit_status(wait_for_end(process));
}

}  // namespace

std::string preload_path() {
    return place_of("libnlsh-preload.so");
}

int run_program(const std::vector<std::string>& words) {
    if (words.empty() || words[0].starts_with('-'))
        return fail(
            2, "nlsh: run takes a program and its arguments: nlsh run [--] PROGRAM ARGUMENT…\n");
    if (geteuid() != 0)
        return complain(
            "only root's commands are answered: run this as root, or the program without nlsh");
    complain_of_environment();
    PrivateServer server;
    if (!preload_path().empty() && !server.start()) return complain("the server doesn't start");
    return run_preloaded({.words = words, .socket = server.socket()});
}

int run_preloaded(const PreloadedProgram& program) {
    if (program.words.empty()) return complain("no program");
    const std::string preload = preload_path();
    if (program.preload && preload.empty()) return complain("libnlsh-preload.so isn't installed");
    const pid_t process = fork();
    if (process < 0) return complain(strerror(errno));
    if (process == 0) {
        set_environment(program.preload ? preload : std::string(), program.socket);
        for (const auto& [name, value] : program.environment)
            setenv(name.c_str(), value.c_str(), 1);
        exec_program(program.words);
    }
    if (program.started) program.started();
    return wait_for(process);
}

}  // namespace nlsh
