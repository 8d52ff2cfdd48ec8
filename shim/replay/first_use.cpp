#include "shim/replay/first_use.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string>
#include <vector>

#include "backend/read_file.h"
#include "shim/process/places.h"
#include "shim/process/words.h"
#include "shim/replay/attempts.h"
#include "shim/replay/qualify_builds.h"

namespace nlsh {
namespace {

// Of these an init of a container reaps what it is left.
constexpr std::array<std::string_view, 11> inits{
    "systemd",   "init",        "tini",  "dumb-init", "docker-init", "catatonit",
    "s6-svscan", "supervisord", "runit", "bash",      "sh"};

// Whether somebody reaps a process whose parent has gone. In a container process 1 may be the very
// program that has called us, which would find a child that isn't its own.
bool orphans_are_reaped() {
    constexpr ino_t first_pid_namespace = 0xEFFFFFFC;  // the machine's: PROC_PID_INIT_INO
    struct stat status;
    if (stat("/proc/self/ns/pid", &status) != 0) return true;  // no /proc: a chroot
    if (status.st_ino == first_pid_namespace) return true;
    std::string name = read_file("/proc/1/comm");
    if (name.empty()) return true;  // hidden from its own user's processes it isn't
    name.pop_back();
    return std::ranges::find(inits, name) != inits.end();
}

std::vector<std::string> environment_of_ours() {
    std::vector<std::string> variables{"PATH=/usr/sbin:/usr/bin:/sbin:/bin"};
    for (const char* name :
         {"HOME", "XDG_CACHE_HOME", "NLSH_BUILDS", "NLSH_REAL_IP", "NLSH_REAL_BRIDGE"})
        if (const char* value = secure_getenv(name); value != nullptr)
            variables.push_back(fmt::format("{}={}", name, value));
    return variables;
}

// What the process needs, made before there are two.
struct Start {
    std::string program = own_program();
    std::vector<std::string> words{"nlsh", "qualify", "--quiet", "--if-needed"};
    std::vector<std::string> variables = environment_of_ours();
    std::vector<char*> arguments = pointers(words), environment = pointers(variables);
};

// The caller's limits are for the caller's own work.
void lift_limits() {
    for (const auto resource : {RLIMIT_AS, RLIMIT_DATA, RLIMIT_FSIZE, RLIMIT_NOFILE, RLIMIT_STACK,
                                RLIMIT_CPU, RLIMIT_NPROC}) {
        rlimit limit;
        if (getrlimit(resource, &limit) != 0) continue;
        limit.rlim_cur = limit.rlim_max;
        setrlimit(resource, &limit);
    }
}

// Rather this process than what it was started by, if a container runs out of memory.
void offer_itself_to_the_oom_killer() {
    const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0) return;
    if (write(file, "1000", 4) < 0) return;  // it is only better so
    close(file);
}

// In a child: only system calls.
[[noreturn]] void become_background(Start& start) {
    setsid();
    for (int number = 1; number < _NSIG; ++number)
        signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    close_range(0, ~0U, 0);
    const int null = open("/dev/null", O_RDWR);
    for (int each = null; each >= 0 && each < STDERR_FILENO;)
        each = dup(null);
    umask(S_IWGRP | S_IWOTH);
    constexpr int nicest = 19;
    setpriority(PRIO_PROCESS, 0, nicest);
    offer_itself_to_the_oom_killer();
    lift_limits();
    if (chdir("/") == 0)
        execve(start.program.c_str(), start.arguments.data(), start.environment.data());
    _exit(1);
}

// As fork(2), without libc's handlers. `flags`: the signal at its end.
pid_t clone_process(unsigned long flags) {
    return static_cast<pid_t>(syscall(SYS_clone, flags, nullptr, nullptr, nullptr, nullptr));
}

// Else a signal would end this process, which has its line to run.
bool may_write_files() {
    rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY;
}

// Whether there is something to do, and it is this process that does it.
bool may_start(const Start& start) {
    if (!may_write_files() || start.program.empty() || getauxval(AT_SECURE) != 0 ||
        !qualification_needed())
        return false;
    const auto place = place_to_write();
    return place && claim_attempt(*place, key_of_builds());
}

}  // namespace

void qualify_at_first_use() {
    Start start;
    if (!orphans_are_reaped() || !may_start(start)) return;
    // Without a signal at its end: it would stay pending in what this process becomes.
    const pid_t parent = clone_process(0);
    if (parent == 0) {
        if (clone_process(SIGCHLD) == 0) become_background(start);
        _exit(0);
    }
    while (parent > 0 && waitpid(parent, nullptr, __WALL) < 0 && errno == EINTR) {
    }
}

void qualify_at_start() {
    Start start;
    if (!may_start(start)) return;
    signal(SIGCHLD, SIG_IGN);  // the server waits for nobody
    if (clone_process(SIGCHLD) == 0) become_background(start);
}

}  // namespace nlsh
