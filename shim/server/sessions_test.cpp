// Needs root: makes its own network namespaces and touches no other.
#include "shim/server/sessions.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/socket.h>

#include <atomic>
#include <thread>

namespace nlsh {
namespace {

// A socket in a new namespace, which lives as long as the socket. Invalid without the right.
Descriptor foreign_socket() {
    Descriptor result;
    std::thread([&] {
        if (unshare(CLONE_NEWNET) == 0) {
            result = Descriptor(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
        }
    }).join();
    return result;
}

std::unique_ptr<Sessions::Lease> lease(Sessions& sessions, const Descriptor& socket) {
    return sessions.lease(netns_of(socket.get()), [&] { return open_netns_of(socket.get()); });
}

TEST(Sessions, OwnNamespaceIsKept) {
    const Descriptor socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    Sessions sessions;
    const Session* first = &lease(sessions, socket)->session();
    std::this_thread::sleep_for(2 * Sessions::idle_limit);
    EXPECT_EQ(&lease(sessions, socket)->session(), first);
    EXPECT_EQ(sessions.foreign_idle(), 0U);
}

TEST(Sessions, OneIsKeptAtRest) {
    const Descriptor socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    std::atomic<int> rests = 0;
    Sessions sessions([&] { ++rests; });
    {
        const auto first = lease(sessions, socket);
        const auto second = lease(sessions, socket);
    }
    EXPECT_EQ(sessions.own_idle(), 2U);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (rests == 0 && std::chrono::steady_clock::now() < deadline)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_EQ(sessions.own_idle(), 1U);
    std::this_thread::sleep_for(2 * Sessions::rest_limit);
    EXPECT_EQ(rests, 1);  // until somebody calls
}

TEST(Sessions, WhileTheyAreUsed) {
    const Descriptor socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    std::atomic<int> rests = 0, times_after = 0;
    Sessions sessions([&] { ++rests; }, [&] { times_after += rests > 0 ? 1 : 0; });
    lease(sessions, socket);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (times_after < 2 && std::chrono::steady_clock::now() < deadline)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_GE(times_after, 2);  // also during a rest: a caller may come back
}

TEST(Sessions, ForeignNamespaceIsEnteredAndLeft) {
    const Descriptor socket = foreign_socket();
    if (!socket) GTEST_SKIP() << "needs root";
    const uint64_t home = own_netns();
    Sessions sessions;
    {
        const auto there = lease(sessions, socket);
        ASSERT_TRUE(there);
        EXPECT_EQ(own_netns(), home);  // until the session needs the namespace
        ASSERT_TRUE(there->session().enter());
        EXPECT_EQ(own_netns(), netns_of(socket.get()));
        EXPECT_NE(own_netns(), home);
    }
    EXPECT_EQ(own_netns(), home);
    EXPECT_EQ(sessions.foreign_idle(), 1U);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    while (sessions.foreign_idle() != 0 && std::chrono::steady_clock::now() < deadline) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_EQ(sessions.foreign_idle(), 0U);
}

TEST(Sessions, SocketsOfAForeignNamespaceAreMadeThereOnce) {
    const Descriptor socket = foreign_socket();
    if (!socket) GTEST_SKIP() << "needs root";
    const uint64_t home = own_netns();
    Sessions sessions;
    {
        const auto there = lease(sessions, socket);
        ASSERT_TRUE(there->session().rtnl());
        EXPECT_NE(own_netns(), home);
        there->leave();
        EXPECT_EQ(own_netns(), home);
    }
    const auto again = lease(sessions, socket);
    ASSERT_TRUE(again->session().rtnl());
    EXPECT_EQ(own_netns(), home);
    const auto channel = again->session().rtnl();
    EXPECT_EQ((*channel)->ifindex("lo"), 1U);
}

TEST(Sessions, OneThatAnExceptionEndsIsNotUsedAgain) {
    const Descriptor socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    Sessions sessions;
    try {
        const auto unwound = lease(sessions, socket);
        throw std::bad_alloc();
    } catch (const std::bad_alloc&) {  // as thrown above
    }
    EXPECT_EQ(sessions.own_idle(), 0U);
}

TEST(Sessions, TwoAtATimeAreTwo) {
    const Descriptor socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    Sessions sessions;
    const auto first = lease(sessions, socket);
    const auto second = lease(sessions, socket);
    EXPECT_NE(&first->session(), &second->session());
}

}  // namespace
}  // namespace nlsh
