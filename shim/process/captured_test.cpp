#include "shim/process/captured.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cerrno>

#include "backend/descriptor.h"

namespace nlsh {
namespace {

// Runs each test by posix_spawn, and by fork, as for another network namespace.
class Captures : public testing::TestWithParam<bool> {
  protected:
    std::expected<Captured, int> run(const std::string& line, std::chrono::milliseconds limit) {
        return run_captured({.line = line,
                             .environment = {"PATH=/usr/bin:/bin"},
                             .directory = {},
                             .netns = GetParam() ? netns_.get() : -1,
                             .limit = limit});
    }

  private:
    const Descriptor netns_{open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC)};
};

TEST_P(Captures, OutputsAndStatus) {
    for (const auto limit : {std::chrono::milliseconds(0), std::chrono::milliseconds(quick_limit)})
        EXPECT_EQ(run("echo a; echo b >&2; exit 3", limit),
                  (Captured{"a\n", "b\n", W_EXITCODE(3, 0)}));
}

TEST_P(Captures, TheLimitEndsWholeGroups) {
    const auto before = std::chrono::steady_clock::now();
    for (const char* line :
         {"sleep 99", "sleep 99 & sleep 99", "sleep 99 & exit", "exec >&- 2>&-; sleep 99"})
        EXPECT_EQ(run(line, std::chrono::milliseconds(50)), std::unexpected(ETIMEDOUT)) << line;
    EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(90));
}

INSTANTIATE_TEST_SUITE_P(Starts, Captures, testing::Bool());

}  // namespace
}  // namespace nlsh
