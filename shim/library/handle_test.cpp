#include "shim/library/handle.h"

#include <gmock/gmock.h>

#include <thread>

namespace nlsh {
namespace {

TEST(Library, NativeLine) {
    Library library("");
    const auto outcome = library.run("ip -br link show lo | wc -l; ip link show nosuch");
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->status, 1);
    EXPECT_EQ(outcome->output, "1\n");
    EXPECT_EQ(outcome->error, "Device \"nosuch\" does not exist.\n");
    EXPECT_EQ(outcome->fallback, "");
    ASSERT_EQ(outcome->failures.size(), 1U);
    EXPECT_EQ(outcome->failures[0].position, 3);
    EXPECT_EQ(outcome->failures[0].command, "ip link show nosuch");
}

TEST(Library, FallbackLine) {
    Library library("");
    const auto outcome = library.run("f() { echo $1; }; f 1; f 2; exit 3");
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->status, 3);
    EXPECT_EQ(outcome->output, "1\n2\n");
    EXPECT_NE(outcome->fallback, "");
}

TEST(Library, NoServer) {
    Library library("/nonexistent/socket");
    const auto outcome = library.run("ip -br link show lo | wc -l");
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->output, "1\n");
    EXPECT_EQ(outcome->fallback, "no server");
}

TEST(Library, ThreadsShareIt) {
    Library library("");
    std::vector<std::thread> threads;
    threads.reserve(16);
    for (int i = 0; i < 16; ++i) {
        threads.emplace_back([&library, i] {
            for (int round = 0; round < 20; ++round) {
                const std::string line = "ip -br link show lo >/dev/null && echo " +
                                         std::to_string(i * 100 + round) + " | wc -c";
                const auto outcome = library.run(line);
                ASSERT_TRUE(outcome);
                EXPECT_EQ(outcome->status, 0);
                EXPECT_EQ(outcome->fallback, "");
            }
        });
    }
    for (std::thread& thread : threads)
        thread.join();
}

}  // namespace
}  // namespace nlsh
