#include "shim/doctor/trial.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "backend/read_file.h"
#include "parser/text.h"
#include "shim/process/exit_status.h"
#include "shim/process/pidfd_calls.h"
#include "shim/process/places.h"
#include "shim/process/words.h"

namespace nlsh {
namespace {

constexpr unsigned patience = 10;  // seconds
constexpr int trace_number = 3;    // the trace's descriptor in the child
constexpr int program_number = 4;  // the program's descriptor in the child
constexpr int cannot_enter = 125;  // the child's exit status
constexpr const char* trace_path = "/proc/self/fd/3";

struct Program {
    Descriptor file;
    std::vector<std::string> words;
    std::vector<std::string> environment;
};

[[noreturn]] void give_up(const char* what) {
    dprintf(trace_number, "%s: %s\n", what, strerror(errno));
    _exit(cannot_enter);
}

void enter(const ProcessView& process) {
    bool mounts = false;
    for (const Namespace& each : process.namespaces) {
        if (setns(each.file.get(), each.type) != 0) give_up("its namespaces can't be entered");
        mounts = mounts || each.type == CLONE_NEWNS;
    }
    struct stat own{}, other{};
    if (stat("/", &own) != 0 || fstat(process.root.get(), &other) != 0) give_up("its root");
    if (!mounts && own.st_ino == other.st_ino && own.st_dev == other.st_dev) return;
    if (fchdir(process.root.get()) != 0 || chroot(".") != 0) give_up("its root can't be entered");
}

// Runs in the child and never returns. The program gets descriptors 0 to 4 only.
[[noreturn]] void run(const ProcessView& process, const Program& program, int trace) {
    const std::vector<char*> words = pointers(program.words);
    const std::vector<char*> environment = pointers(program.environment);
    const int null = open("/dev/null", O_RDWR);
    const int copy = fcntl(trace, F_DUPFD, 10);
    const int file = fcntl(program.file.get(), F_DUPFD, 10);
    for (const int number : {0, 1, 2})
        dup2(null, number);
    enter(process);
    dup2(copy, trace_number);
    dup2(file, program_number);
    // The pid namespace takes effect for the next child.
    const pid_t child = fork();
    if (child != 0) _exit(child < 0 ? cannot_enter : exit_status(wait_for_end(child)));
    close_range(program_number + 1, ~0U, 0);
    fcntl(program_number, F_SETFD, FD_CLOEXEC);
    syscall(SYS_execveat, program_number, "", words.data(), environment.data(), AT_EMPTY_PATH);
    give_up("the trial can't be run there");
}

// Returns the wait status; -1: it took too long.
int wait_for(pid_t process) {
    const Descriptor handle = open_process(process);
    pollfd end{handle.get(), POLLIN, 0};
    const bool ended = poll(&end, 1, patience * 1000) == 1;
    if (!ended) kill(-process, SIGKILL);
    const int status = wait_for_end(process);
    return ended ? status : -1;
}

// The trace's line for this function (preload/settings/trace.h).
std::expected<Trial, std::string> read_trace(const std::string& trace,
                                             const std::string& function) {
    for (const std::string_view line : split(trace, '\n')) {
        const std::vector<std::string_view> fields = fields_of(line, '\t');
        if (fields.size() < 5 || fields[0] != function) continue;
        const auto field = [&](size_t at) { return at < fields.size() ? fields[at] : ""; };
        return Trial{function, fields[1] == "native", std::string(field(5)), std::string(field(6))};
    }
    return std::unexpected("the preload didn't see the call");
}

std::expected<Trial, std::string> try_program(const ProcessView& process, Program program,
                                              const std::string& function) {
    const Descriptor trace(memfd_create("nlsh-trace", MFD_CLOEXEC));
    if (!program.file || !trace)
        return std::unexpected(fmt::format("{}: {}", program.words[0], strerror(errno)));
    std::erase_if(program.environment,
                  [](const std::string& entry) { return entry.starts_with("NLSH_TRACE="); });
    program.environment.push_back(fmt::format("NLSH_TRACE={}", trace_path));
    const pid_t child = fork();
    if (child < 0) return std::unexpected(fmt::format("fork: {}", strerror(errno)));
    if (child == 0) {
        setpgid(0, 0);
        run(process, program, trace.get());
    }
    const int status = wait_for(child);
    lseek(trace.get(), 0, SEEK_SET);  // the child shares the offset
    const std::string text = read_all(trace);
    if (status == -1)
        return std::unexpected(fmt::format("the call didn't end within {} s", patience));
    if (exit_status(status) == cannot_enter)
        return std::unexpected(text.substr(0, text.find('\n')));
    return read_trace(text, function);
}

Descriptor open_program(const std::string& path) {
    return Descriptor(open(path.c_str(), O_PATH | O_CLOEXEC));
}

}  // namespace

std::expected<Trial, std::string> try_call(const ProcessView& process, const char* function) {
    const std::string path = place_of("nlsh-trial");
    Program program{open_program(path), {"nlsh-trial", function}, process.environment};
    if (!process.rights.empty()) program.words.push_back(process.rights);
    std::erase_if(program.environment,
                  [](const std::string& entry) { return entry.starts_with("LD_PRELOAD="); });
    program.environment.push_back("LD_PRELOAD=" + process.preload);
    return try_program(process, std::move(program), function);
}

std::expected<Trial, std::string> try_nlsh() {
    auto self = view_process(getpid());
    if (!self) return std::unexpected(self.error());
    Program program{
        open_program(own_program()), {"nlsh", "-c", "ip link show lo"}, self->environment};
    return try_program(*self, std::move(program), "nlsh");
}

}  // namespace nlsh
