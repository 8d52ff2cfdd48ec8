// A process's exit status, as in a shell's $?.
#pragma once

#include <sys/wait.h>

#include <cerrno>

namespace nlsh {

// Waits for a child's end, without a limit. Returns `unknown` if there is no such child, or SIGCHLD
// is ignored.
inline int wait_for_end(pid_t child, int unknown = 0) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return unknown;
    return status;
}

inline int exit_status(int wait_status) {
    return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
}

}  // namespace nlsh
