#include "shim/peer/proc_files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace nlsh {
namespace {

TEST(ProcFiles, ReadsBelowProcSys) {
    ProcFiles files;
    const auto text = files.read("/proc/sys/kernel/ostype");
    ASSERT_TRUE(text);
    EXPECT_EQ(*text, "Linux\n");
    EXPECT_TRUE(S_ISREG(*files.mode("/proc/sys/kernel/ostype")));
    EXPECT_TRUE(S_ISDIR(*files.mode("/proc/sys/net")));
}

TEST(ProcFiles, NothingElse) {
    ProcFiles files;
    for (const char* path : {"/etc/passwd", "/proc/sys/../version", "/proc/sys/net/../../version",
                             "/proc/self/status", "proc/sys/kernel/ostype", "/proc/sysx", ""}) {
        EXPECT_FALSE(files.read(path)) << path;
        EXPECT_FALSE(files.open(path, false)) << path;
        EXPECT_FALSE(files.mode(path)) << path;
    }
    EXPECT_FALSE(files.open("/proc/sys/no_such_file", false));
}

// A child process finds /proc/sys/net mounted apart, as in LXC and systemd-nspawn; and then has no
// openat2, as under systemd's RestrictSUIDSGID=.
TEST(ProcFiles, ANetOfItsOwn) {
    const auto finds = [](auto prepare) {
        const pid_t child = fork();
        if (child == 0) {
            if (!prepare()) _exit(77);
            ProcFiles files;
            const char* setting = "/proc/sys/net/ipv4/conf/lo/forwarding";
            _exit(files.read(setting) && files.mode(setting) && files.open(setting, false) &&
                          !files.read("/proc/sys/net/../kernel/ostype") &&
                          !files.read("/proc/sys/fs/binfmt_misc/status")
                      ? 0
                      : 1);
        }
        int status = 0;
        waitpid(child, &status, 0);
        return WEXITSTATUS(status);
    };
    const auto mounted = [] {
        return unshare(CLONE_NEWNS) == 0 &&
               mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
               mount("/proc/sys/net", "/proc/sys/net", nullptr, MS_BIND, nullptr) == 0 &&
               mount("tmpfs", "/proc/sys/fs/binfmt_misc", "tmpfs", 0, nullptr) == 0 &&
               close(::open("/proc/sys/fs/binfmt_misc/status", O_CREAT | O_WRONLY, 0600)) == 0;
    };
    const auto without_openat2 = [] {
        scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
        return seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(openat2), 0) == 0 &&
               seccomp_load(filter) == 0;
    };
    const int found = finds(mounted);
    if (found == 77) GTEST_SKIP() << "no mount namespace";
    EXPECT_EQ(found, 0);
    EXPECT_EQ(finds(without_openat2), 0);
    EXPECT_EQ(finds([&] { return mounted() && without_openat2(); }), 0);
}

TEST(ProcFiles, DevNull) {
    const auto null = ProcFiles().open("/dev/null", false);
    ASSERT_TRUE(null);
    EXPECT_TRUE((*null)->write("gone"));
}

}  // namespace
}  // namespace nlsh
