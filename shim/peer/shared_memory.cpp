#include "shim/peer/shared_memory.h"

#include <linux/kcmp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim/process/pidfd_calls.h"

namespace nlsh {

pid_t parent_of(const Descriptor& process) {
    PidfdInfo info{};
    info.mask = pidfd_info_pid;
    if (ioctl(process.get(), pidfd_get_info, &info) != 0) return 0;
    return (info.mask & pidfd_info_pid) != 0 ? static_cast<pid_t>(info.parent) : 0;
}

bool share_memory(pid_t one, pid_t other) {
    return syscall(SYS_kcmp, one, other, KCMP_VM, 0, 0) == 0;
}

}  // namespace nlsh
