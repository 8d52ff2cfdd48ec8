// Part of the sanitizers' builds only: where their reports go (compat-tests/sanitized).
#include <fcntl.h>
#include <fmt/format.h>
#include <sanitizer/common_interface_defs.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace {

// Opened at once: the server's system call filter later forbids making files, and names may lead
// elsewhere. Tests compare standard error, so reports go there only if the folder is missing.
__attribute__((constructor)) void open_report() {
    const int error = errno;
    const int lowest = 100;  // descriptors that programs and tests don't count on
    const int file = open(fmt::format("{}/{}", NLSH_REPORTS, getpid()).c_str(),
                          O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file >= 0) {
        const int report = fcntl(file, F_DUPFD_CLOEXEC, lowest);
        close(file);
        if (report >= 0)
            __sanitizer_set_report_fd(reinterpret_cast<void*>(static_cast<intptr_t>(report)));
    }
    errno = error;
}

}  // namespace

// LeakSanitizer can't work under a system call filter, nor under a tracer.
extern "C" int __lsan_is_turned_off() {
    return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) != 0;
}
