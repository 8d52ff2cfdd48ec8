// How a process has ended, as a shell's $? says it.
#pragma once

#include <sys/wait.h>

namespace nlsh {

inline int exit_status(int wait_status) {
    return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
}

}  // namespace nlsh
