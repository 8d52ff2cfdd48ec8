#include "shim/inproc/own_rights.h"

#include <linux/capability.h>
#include <linux/securebits.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace nlsh {
namespace {

// What a command may need (shim/server/rights.h).
constexpr std::array<unsigned, 3> needed{CAP_NET_ADMIN, CAP_SYS_ADMIN, CAP_SYS_MODULE};
constexpr rlim_t descriptors_min = 16;  // those of a program's libraries

bool is_root() {
    uid_t real = 1, effective = 1, saved = 1;
    return getresuid(&real, &effective, &saved) == 0 && real == 0 && effective == 0 && saved == 0;
}

// Root's exec gives all of the bounding set's capabilities, unless the process has waived that.
bool exec_changes_capabilities() {
    __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {};
    const int bits = prctl(PR_GET_SECUREBITS);
    if (syscall(SYS_capget, &header, data) != 0 || bits < 0 || (bits & SECBIT_NOROOT) != 0)
        return true;
    for (const unsigned number : needed) {
        const bool effective = (data[0].effective & (1U << number)) != 0;
        if (effective != (prctl(PR_CAPBSET_READ, number) == 1)) return true;
    }
    return false;
}

// Landlock keeps a process from every mount; who asked for it has waived new privileges. This mount
// lacks its source: it is never made.
bool may_be_confined() {
    return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 &&
           mount(nullptr, "/", nullptr, MS_BIND, nullptr) != 0 && errno == EPERM;
}

}  // namespace

const char* own_rights_refusal() {
    // The first call of all: a filter may kill a process that makes another.
    if (prctl(PR_GET_SECCOMP) != 0) return "seccomp";
    if (!is_root()) return "not root";
    if (exec_changes_capabilities()) return "exec changes the capabilities";
    return may_be_confined() ? "confined" : nullptr;
}

const char* own_limits_refusal() {
    rlimit limit{};
    const bool few = getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur < descriptors_min;
    return few ? "few descriptors" : nullptr;
}

}  // namespace nlsh
