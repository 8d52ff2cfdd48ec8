// What a pidfd tells of a process is what /proc tells. Needs root.
#include "shim/peer/place.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shim/process/pidfd_calls.h"

namespace nlsh {
namespace {

// A child that has left some namespaces, until the end of the test.
class Elsewhere {
  public:
    explicit Elsewhere(int namespaces) {
        int ready[2];
        if (pipe(ready) != 0) return;
        pid = fork();
        if (pid == 0) {
            const char byte = unshare(namespaces) == 0 ? 'y' : 'n';
            if (write(ready[1], &byte, 1) == 1) pause();
            _exit(1);
        }
        char byte = 'n';
        there = read(ready[0], &byte, 1) == 1 && byte == 'y';
        close(ready[0]);
        close(ready[1]);
    }
    ~Elsewhere() {
        kill(pid, SIGKILL);
        waitpid(pid, nullptr, 0);
    }
    pid_t pid = -1;
    bool there = false;
};

TEST(Place, IsTheSameByPidfdAndByProc) {
    if (geteuid() != 0) GTEST_SKIP() << "needs root";
    const Places places(false);
    const Places by_proc(true);
    EXPECT_EQ(places.own(), by_proc.own());
    for (const int namespaces : {0, CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWUSER}) {
        const Elsewhere child(namespaces);
        if (!child.there && namespaces == CLONE_NEWUSER)
            GTEST_SKIP() << "no user namespace can be made here, as in a chroot";
        ASSERT_TRUE(child.there) << namespaces;
        const Descriptor process = open_process(child.pid);
        const std::string proc = fmt::format("/proc/{}", child.pid);
        const Place place = places.of(proc, process);
        EXPECT_EQ(place, by_proc.of(proc, process)) << namespaces;
        const bool same = namespaces == 0 || namespaces == CLONE_NEWUTS;
        EXPECT_EQ(place == places.own(), same) << namespaces;
    }
}

TEST(Place, OfAProcessThatIsGoneCannotBeTold) {
    const Places places(false);
    EXPECT_EQ(places.of("/proc/0", Descriptor()).identity[Place::mounts], 0U);
}

}  // namespace
}  // namespace nlsh
