#include "shim/inproc/kept_sessions.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <thread>
#include <vector>

namespace nlsh {
namespace {

// This process's netlink sockets with numbers of 100 or more.
std::vector<int> kept_sockets() {
    std::vector<int> found;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        const int number = std::stoi(entry.path().filename());
        int domain = 0;
        socklen_t size = sizeof domain;
        if (number >= 100 && getsockopt(number, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 &&
            domain == AF_NETLINK) {
            found.push_back(number);
        }
    }
    return found;
}

// As in guest.cpp: zeroed memory.
class KeptSessionsTest : public testing::Test {
  protected:
    void* memory = mmap(nullptr, sizeof(KeptSessions), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    KeptSessions& sessions = *static_cast<KeptSessions*>(memory);

    ~KeptSessionsTest() override {
        std::destroy_at(&sessions);
        EXPECT_THAT(kept_sockets(), testing::IsEmpty());
        munmap(memory, sizeof(KeptSessions));
    }

    uint32_t ask() {
        KeptSessions::Lease lease(sessions);
        const auto channel = lease.session().rtnl();
        return channel ? (*channel)->ifindex("lo") : 0;
    }
};

TEST_F(KeptSessionsTest, OneCallLeavesNothing) {
    EXPECT_EQ(ask(), 1U);
    EXPECT_THAT(kept_sockets(), testing::IsEmpty());
}

TEST_F(KeptSessionsTest, ABurstUsesOneSocketUntilItIsOver) {
    for (int i = 0; i < 10; ++i)
        EXPECT_EQ(ask(), 1U);
    EXPECT_THAT(kept_sockets(), testing::SizeIs(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    EXPECT_EQ(ask(), 1U);
    EXPECT_THAT(kept_sockets(), testing::IsEmpty());
}

TEST_F(KeptSessionsTest, ANumberThatIsAnotherFilesIsLeftAlone) {
    for (int i = 0; i < 5; ++i)
        ask();
    ASSERT_THAT(kept_sockets(), testing::SizeIs(1));
    const int stolen = kept_sockets().front();
    const int other = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    ASSERT_EQ(dup3(other, stolen, O_CLOEXEC), stolen);
    EXPECT_EQ(ask(), 1U);
    int domain = 0;
    socklen_t size = sizeof domain;
    EXPECT_EQ(getsockopt(stolen, SOL_SOCKET, SO_DOMAIN, &domain, &size), 0);
    EXPECT_EQ(domain, AF_UNIX);
    close(stolen);
    close(other);
}

TEST_F(KeptSessionsTest, ASessionWithOtherSocketsIsNotKept) {
    for (int i = 0; i < 5; ++i) {
        KeptSessions::Lease lease(sessions);
        Session& session = lease.session();
        EXPECT_TRUE(session.rtnl() && session.loose());
    }
    EXPECT_THAT(kept_sockets(), testing::IsEmpty());
}

TEST_F(KeptSessionsTest, ThreadsShareTheSlots) {
    std::vector<std::thread> threads;
    threads.reserve(8);
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([this] {
            for (int call = 0; call < 500; ++call)
                EXPECT_EQ(ask(), 1U);
        });
    }
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_LE(kept_sockets().size(), 4U);
}

}  // namespace
}  // namespace nlsh
