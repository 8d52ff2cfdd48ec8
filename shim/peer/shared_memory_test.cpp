// kcmp(2), and PIDFD_GET_INFO where the kernel has it.
#include "shim/peer/shared_memory.h"

#include <gmock/gmock.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "shim/process/pidfd_calls.h"

namespace nlsh {
namespace {

// Before Linux 6.13 a pidfd doesn't tell the parent.
void expect_parent(pid_t child, pid_t parent) {
    EXPECT_THAT(parent_of(open_process(child)), testing::AnyOf(parent, 0));
}

TEST(SharedMemory, OfAForksChildIsItsOwn) {
    const pid_t child = fork();
    if (child == 0) {
        pause();
        _exit(0);
    }
    EXPECT_FALSE(share_memory(child, getpid()));
    EXPECT_TRUE(share_memory(getpid(), getpid()));
    expect_parent(child, getpid());
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    EXPECT_FALSE(share_memory(child, getpid()));
    EXPECT_EQ(parent_of(Descriptor()), 0);
}

// vfork holds the thread that calls it.
TEST(SharedMemory, OfAVforksChildIsItsParents) {
    int told[2], go[2];
    ASSERT_EQ(pipe(told), 0);
    ASSERT_EQ(pipe(go), 0);
    std::thread maker([&] {
        const pid_t child = vfork();  // NOLINT(bugprone-unsafe-functions): it is what is tested
        if (child == 0) {
            const auto self = static_cast<pid_t>(syscall(SYS_getpid));
            char byte;
            _exit(write(told[1], &self, sizeof self) != sizeof self || read(go[0], &byte, 1) != 1);
        }
        int status = -1;
        waitpid(child, &status, 0);
        EXPECT_EQ(status, 0);
    });
    pid_t child = 0;
    ASSERT_EQ(read(told[0], &child, sizeof child), static_cast<ssize_t>(sizeof child));
    EXPECT_TRUE(share_memory(child, getpid()));
    expect_parent(child, getpid());
    EXPECT_EQ(write(go[1], "", 1), 1);
    maker.join();
    for (const int end : {told[0], told[1], go[0], go[1]})
        close(end);
}

}  // namespace
}  // namespace nlsh
