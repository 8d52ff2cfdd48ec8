// The seccomp filter (libseccomp). A refused call fails with EPERM, so only
// the line that made it fails or falls back.
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/kcmp.h>
#include <linux/nsfs.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "shim/confine/rights.h"
#include "shim/process/pidfd_calls.h"

namespace nlsh {
namespace {

// Allowed with any arguments.
constexpr int allowed[] = {
    // memory, threads, time
    SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise), SCMP_SYS(futex),
    SCMP_SYS(exit), SCMP_SYS(exit_group), SCMP_SYS(set_robust_list), SCMP_SYS(rseq),
    SCMP_SYS(membarrier), SCMP_SYS(gettid), SCMP_SYS(getpid), SCMP_SYS(getppid),
    SCMP_SYS(restart_syscall), SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres),
    SCMP_SYS(clock_nanosleep), SCMP_SYS(nanosleep), SCMP_SYS(gettimeofday), SCMP_SYS(time),
    SCMP_SYS(getrandom), SCMP_SYS(sched_yield), SCMP_SYS(sched_getaffinity),
    SCMP_SYS(sched_setaffinity), SCMP_SYS(sched_setattr), SCMP_SYS(sched_getattr),
    SCMP_SYS(sched_getparam), SCMP_SYS(sched_getscheduler), SCMP_SYS(getcpu), SCMP_SYS(sysinfo),
    SCMP_SYS(uname), SCMP_SYS(getrusage), SCMP_SYS(getpriority),
    // signals
    SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn),
    SCMP_SYS(rt_sigtimedwait), SCMP_SYS(rt_sigpending), SCMP_SYS(sigaltstack),
    // descriptors
    SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(pread64), SCMP_SYS(write), SCMP_SYS(writev),
    SCMP_SYS(pwrite64), SCMP_SYS(close), SCMP_SYS(close_range), SCMP_SYS(lseek), SCMP_SYS(fcntl),
    SCMP_SYS(dup), SCMP_SYS(dup2), SCMP_SYS(dup3), SCMP_SYS(pipe), SCMP_SYS(pipe2), SCMP_SYS(poll),
    SCMP_SYS(ppoll), SCMP_SYS(select), SCMP_SYS(pselect6), SCMP_SYS(epoll_create1),
    SCMP_SYS(epoll_ctl), SCMP_SYS(epoll_wait), SCMP_SYS(epoll_pwait), SCMP_SYS(eventfd2),
    SCMP_SYS(timerfd_create), SCMP_SYS(timerfd_settime), SCMP_SYS(inotify_init1),
    SCMP_SYS(inotify_add_watch), SCMP_SYS(inotify_rm_watch), SCMP_SYS(pidfd_open), SCMP_SYS(splice),
    SCMP_SYS(tee), SCMP_SYS(vmsplice),
    // files: openat is below; openat2 keeps to beneath a directory
    SCMP_SYS(openat2), SCMP_SYS(stat), SCMP_SYS(lstat), SCMP_SYS(fstat), SCMP_SYS(newfstatat),
    SCMP_SYS(statx), SCMP_SYS(statfs), SCMP_SYS(fstatfs), SCMP_SYS(access), SCMP_SYS(faccessat),
    SCMP_SYS(faccessat2), SCMP_SYS(readlink), SCMP_SYS(readlinkat), SCMP_SYS(getdents64),
    SCMP_SYS(getcwd), SCMP_SYS(getxattr), SCMP_SYS(unlink), SCMP_SYS(unlinkat), SCMP_SYS(flock),
    SCMP_SYS(umask),
    // sockets: making one is below
    SCMP_SYS(accept), SCMP_SYS(accept4), SCMP_SYS(connect), SCMP_SYS(bind), SCMP_SYS(listen),
    SCMP_SYS(shutdown), SCMP_SYS(sendto), SCMP_SYS(sendmsg), SCMP_SYS(sendmmsg), SCMP_SYS(recvfrom),
    SCMP_SYS(recvmsg), SCMP_SYS(recvmmsg), SCMP_SYS(getsockopt), SCMP_SYS(setsockopt),
    SCMP_SYS(getsockname), SCMP_SYS(getpeername),
    // identities
    SCMP_SYS(getuid), SCMP_SYS(geteuid), SCMP_SYS(getgid), SCMP_SYS(getegid), SCMP_SYS(getresuid),
    SCMP_SYS(capget), SCMP_SYS(getrlimit)};

constexpr unsigned long device_calls = 0x8900;   // SIOC…: names, indices, tunnels, namespaces
constexpr unsigned long tun_calls = 0x400454ca;  // TUNSETIFF and others
constexpr unsigned long tun_mask = 0xffffff00;

using Filter = std::unique_ptr<void, decltype(&seccomp_release)>;

template <typename... Conditions>
bool allow(const Filter& filter, int call, Conditions... conditions) {
    return seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, call, sizeof...(conditions),
                            conditions...) == 0;
}

scmp_arg_cmp none_of(unsigned argument, uint64_t bits) {
    return {argument, SCMP_CMP_MASKED_EQ, bits, 0};
}
scmp_arg_cmp all_of(unsigned argument, uint64_t bits) {
    return {argument, SCMP_CMP_MASKED_EQ, bits, bits};
}
scmp_arg_cmp equal(unsigned argument, uint64_t value) {
    return {argument, SCMP_CMP_EQ, value, 0};
}
scmp_arg_cmp masked(unsigned argument, uint64_t mask, uint64_t value) {
    return {argument, SCMP_CMP_MASKED_EQ, mask, value};
}

// Allows calls by their arguments: no code, no processes, no new files, no other sockets or
// namespaces.
bool allow_some(const Filter& filter) {
    constexpr uint64_t low = 0xffffffff;
    return allow(filter, SCMP_SYS(mmap), none_of(2, PROT_EXEC)) &&
           allow(filter, SCMP_SYS(mprotect), none_of(2, PROT_EXEC)) &&
           allow(filter, SCMP_SYS(clone), all_of(0, CLONE_THREAD)) &&
           // A filter can't see clone3's flags, which are in memory. After ENOSYS glibc uses clone.
           seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0 &&
           allow(filter, SCMP_SYS(tgkill), equal(0, static_cast<uint64_t>(getpid()))) &&
           allow(filter, SCMP_SYS(setns), equal(1, CLONE_NEWNET)) &&
           allow(filter, SCMP_SYS(openat), none_of(2, O_CREAT | O_TRUNC | O_APPEND)) &&
           allow(filter, SCMP_SYS(open), none_of(1, O_CREAT | O_TRUNC | O_APPEND)) &&
           allow(filter, SCMP_SYS(socket), equal(0, AF_UNIX)) &&
           allow(filter, SCMP_SYS(socketpair), equal(0, AF_UNIX)) &&
           allow(filter, SCMP_SYS(socket), equal(0, AF_NETLINK)) &&
           allow(filter, SCMP_SYS(ioctl), masked(1, low & ~0xffUL, device_calls)) &&
           allow(filter, SCMP_SYS(ioctl), masked(1, tun_mask, tun_calls & tun_mask)) &&
           allow(filter, SCMP_SYS(ioctl), masked(1, low, NS_GET_NSTYPE)) &&
           allow(filter, SCMP_SYS(ioctl), masked(1, low, pidfd_mount_namespace)) &&
           allow(filter, SCMP_SYS(ioctl), masked(1, low, pidfd_user_namespace)) &&
           allow(filter, SCMP_SYS(ioctl), masked(1, low, pidfd_get_info)) &&
           allow(filter, SCMP_SYS(kcmp), equal(2, KCMP_VM)) &&          // whether memory is shared
           allow(filter, SCMP_SYS(ioctl), masked(1, low, FIONREAD)) &&  // bytes in a pipe
           allow(filter, SCMP_SYS(ioctl), masked(1, low, TCGETS)) &&    // whether it is a terminal
           allow(filter, SCMP_SYS(prctl), equal(0, 15 /* PR_SET_NAME */)) &&
           allow(filter, SCMP_SYS(prlimit64), equal(2, 0));  // reading
}

}  // namespace

std::expected<void, std::string> filter_system_calls() {
    const Filter filter(seccomp_init(SCMP_ACT_ERRNO(EPERM)), &seccomp_release);
    if (!filter) return std::unexpected("no memory for the system call filter");
    // libseccomp skips calls that an architecture lacks (stat, time): they have pseudo numbers.
    bool good = true;
    for (const int call : allowed)
        good = good && allow(filter, call);
    if (!good || !allow_some(filter)) return std::unexpected("cannot build the system call filter");
    if (const int error = seccomp_load(filter.get()); error != 0) {
        return std::unexpected(fmt::format("the system call filter: {}", std::strerror(-error)));
    }
    return {};
}

}  // namespace nlsh
