// Whether a process has its parent's memory, as after vfork(2) until it ends or execs.
#pragma once

#include <linux/kcmp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim/process/pidfd_calls.h"

namespace nlsh {

// The parent of the pidfd's process, as a number in our pid namespace; 0: it has none there, or the
// kernel can't tell (before Linux 6.13).
inline pid_t parent_of(const Descriptor& process) {
    PidfdInfo info{};
    info.mask = pidfd_info_pid;
    if (ioctl(process.get(), pidfd_get_info, &info) != 0) return 0;
    return (info.mask & pidfd_info_pid) != 0 ? static_cast<pid_t>(info.parent) : 0;
}

// By kcmp(2). True also for one and the same process.
inline bool share_memory(pid_t one, pid_t other) {
    return syscall(SYS_kcmp, one, other, KCMP_VM, 0, 0) == 0;
}

}  // namespace nlsh
