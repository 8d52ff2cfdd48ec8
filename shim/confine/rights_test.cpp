// Needs root. A child drops its rights and makes each attempt, so this process keeps its own.
#include "shim/confine/rights.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/nsfs.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <functional>
#include <sstream>
#include <thread>

#include "backend/descriptor.h"
#include "shim/process/pidfd_calls.h"
#include "shim/rights/exec_rights.h"

namespace nlsh {
namespace {

constexpr int cannot_drop = 250;

// The errno of `attempt` without the rights; 0: it succeeded.
int without_rights(const std::function<bool()>& attempt) {
    const pid_t child = fork();
    if (child == 0) {
        if (!drop_rights()) _exit(cannot_drop);
        errno = 0;
        _exit(attempt() ? 0 : errno);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

bool opened(int descriptor) {
    return descriptor >= 0;
}

class Rights : public ::testing::Test {
  protected:
    void SetUp() override {
        if (geteuid() != 0) GTEST_SKIP() << "needs root";
    }
};

TEST_F(Rights, WhatTheServerDoesWorks) {
    EXPECT_EQ(without_rights([] { return opened(socket(AF_NETLINK, SOCK_RAW, 0)); }), 0);
    EXPECT_EQ(without_rights([] { return opened(socket(AF_UNIX, SOCK_SEQPACKET, 0)); }), 0);
    EXPECT_EQ(without_rights([] { return opened(open("/proc/self/status", O_RDONLY)); }), 0);
    EXPECT_EQ(without_rights([] {
                  bool ran = false;
                  std::thread([&] { ran = true; }).join();
                  return ran;
              }),
              0);
    EXPECT_EQ(without_rights([] {
                  const int own = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
                  return ioctl(own, NS_GET_NSTYPE) == CLONE_NEWNET && setns(own, CLONE_NEWNET) == 0;
              }),
              0);
    EXPECT_EQ(without_rights([] {
                  const Descriptor own(static_cast<int>(syscall(SYS_pidfd_open, getpid(), 0)));
                  const Descriptor mounts(ioctl(own.get(), pidfd_mount_namespace, 0));
                  return own && (mounts || errno == ENOTTY);  // before Linux 6.11
              }),
              0);
    EXPECT_EQ(without_rights([] { return !std::string(1 << 20, 'x').empty(); }), 0);
}

TEST_F(Rights, WhatAnIntruderWouldDoFails) {
    const std::pair<const char*, std::function<bool()>> attempts[] = {
        {"execve", [] { return execl("/bin/true", "true", nullptr) == 0; }},
#ifdef SYS_fork  // arm64 has clone alone
        {"fork", [] { return opened(static_cast<int>(syscall(SYS_fork))); }},
#endif
        {"clone", [] { return opened(static_cast<int>(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0))); }},
        {"tcp", [] { return opened(socket(AF_INET, SOCK_STREAM, 0)); }},
        {"udp", [] { return opened(socket(AF_INET6, SOCK_DGRAM, 0)); }},
        {"raw packets", [] { return opened(socket(AF_PACKET, SOCK_RAW, 0)); }},
        {"a file made", [] { return opened(open("/tmp/nlsh-evil", O_WRONLY | O_CREAT, 0600)); }},
        {"a file emptied", [] { return opened(open("/etc/hostname", O_WRONLY | O_TRUNC)); }},
        {"mount namespace", [] { return unshare(CLONE_NEWNS) == 0; }},
        {"setns elsewhere",
         [] { return setns(open("/proc/self/ns/uts", O_RDONLY), CLONE_NEWUTS) == 0; }},
        {"code",
         [] {
             return mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                         0) != MAP_FAILED;
         }},
        {"ptrace", [] { return ptrace(PTRACE_TRACEME, 0, 0, 0) == 0; }},
        {"kill", [] { return kill(getppid(), 0) == 0; }},
        {"tgkill", [] { return syscall(SYS_tgkill, getppid(), getppid(), 0) == 0; }},
        {"mount", [] { return syscall(SYS_mount, "x", "/tmp", "tmpfs", 0, 0) == 0; }},
        {"module", [] { return syscall(SYS_init_module, nullptr, 0, "") == 0; }},
        {"bpf", [] { return syscall(SYS_bpf, 0, nullptr, 0) == 0; }},
        {"io_uring", [] { return syscall(SYS_io_uring_setup, 1, nullptr) == 0; }},
        {"setuid", [] { return syscall(SYS_setuid, 1) == 0; }},
        {"chroot", [] { return chroot("/") == 0; }},
        {"memory of others",
         [] { return syscall(SYS_process_vm_readv, getppid(), 0, 0, 0, 0, 0) == 0; }},
    };
    for (const auto& [name, attempt] : attempts)
        EXPECT_EQ(without_rights(attempt), EPERM) << name;
}

std::string own_status() {
    std::ifstream file("/proc/thread-self/status");
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

exec_rights own_rights() {
    exec_rights rights{};
    exec_rights_of_status(own_status().c_str(), &rights);
    return rights;
}

TEST_F(Rights, OnlyWhatIsKeptIsLeft) {
    const uint64_t before = own_rights().effective;
    EXPECT_EQ(without_rights([before] {
                  const exec_rights rights = own_rights();
                  return rights.effective == (before & kept_capabilities) &&
                         rights.user.real == 0 && rights.no_new_privs &&
                         (rights.bounding & ~kept_capabilities) == 0 &&
                         own_status().contains("\nSeccomp:\t2\n");
              }),
              0);
}

}  // namespace
}  // namespace nlsh
