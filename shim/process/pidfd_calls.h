// ioctls of a pidfd that our build's headers lack (ioctl_pidfd(2)).
#pragma once

#include <poll.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

#include "backend/descriptor.h"

namespace nlsh {

// A pidfd; invalid: there is no such process (pidfd_open(2)).
inline Descriptor open_process(pid_t pid) {
    return Descriptor(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
}

inline bool is_alive(const Descriptor& process) {
    pollfd wait{process.get(), POLLIN, 0};
    return process && poll(&wait, 1, 0) == 0;
}

// Since Linux 6.11: each returns a descriptor of the process's namespace.
inline constexpr unsigned long pidfd_mount_namespace = _IO(0xff, 3);
inline constexpr unsigned long pidfd_user_namespace = _IO(0xff, 9);

// The first version of struct pidfd_info (Linux 6.13, <linux/pidfd.h>). Ids are as seen in our
// namespaces; 0: not mapped there.
struct PidfdInfo {
    uint64_t mask;  // the fields asked for; after the call, those filled
    uint64_t cgroup;
    uint32_t pid, thread_group, parent;
    uint32_t real_uid, real_gid, effective_uid, effective_gid;
    uint32_t saved_uid, saved_gid, file_system_uid, file_system_gid;
    uint32_t exit_code;
};
inline constexpr uint64_t pidfd_info_pid = 1, pidfd_info_creds = 2;
inline constexpr unsigned long pidfd_get_info = _IOWR(0xff, 11, PidfdInfo);
static_assert(sizeof(PidfdInfo) == 64);

}  // namespace nlsh
