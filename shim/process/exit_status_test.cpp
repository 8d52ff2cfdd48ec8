#include "shim/process/exit_status.h"

#include <gtest/gtest.h>

#include <csignal>

namespace nlsh {
namespace {

TEST(ExitStatusOfAProcess, AsAShellSaysIt) {
    EXPECT_EQ(exit_status(W_EXITCODE(0, 0)), 0);
    EXPECT_EQ(exit_status(W_EXITCODE(255, 0)), 255);
    EXPECT_EQ(exit_status(W_EXITCODE(0, SIGKILL)), 137);
}

}  // namespace
}  // namespace nlsh
