#include "shim/verify/compare.h"

#include <gmock/gmock.h>

namespace nlsh {
namespace {

RunOnce gives(std::vector<std::string> outputs) {
    return [outputs, i = size_t{0}]() mutable {
        return std::optional(Captured{outputs[std::min(i++, outputs.size() - 1)], "", 0});
    };
}

TEST(Verify, WhatChangesMeanwhileIsNoDifference) {
    using Kind = Verification::Kind;
    EXPECT_EQ(run_both(gives({"a"}), gives({"a"}))->kind, Kind::same);
    EXPECT_EQ(run_both(gives({"a", "b"}), gives({"b"}))->kind, Kind::same);
    EXPECT_EQ(run_both(gives({"timer  9.99"}), gives({"timer 10.05"}))->kind, Kind::numbers);
    EXPECT_EQ(run_both(gives({"up"}), gives({"down"}))->kind, Kind::different);
}

TEST(Verify, Rate) {
    EXPECT_EQ(verify_rate("1"), 1.0);
    EXPECT_EQ(verify_rate("0.25"), 0.25);
    EXPECT_FALSE(verify_rate("2"));
    EXPECT_FALSE(verify_rate("often"));
    Sampler sampler(0.25);
    int due = 0;
    for (int i = 0; i < 100; ++i)
        due += sampler.due({}) ? 1 : 0;
    EXPECT_EQ(due, 25);
    EXPECT_FALSE(Sampler(0).due({}));
    Sampler by_default({});  // a known build's lines are never due
    for (int i = 0; i < 3000; ++i)
        EXPECT_FALSE(by_default.due({}));
}

TEST(Captured, OutputErrorAndStatus) {
    const auto run = run_captured({.line = "echo $WORD; echo err >&2; pwd; exit 3",
                                   .environment = {"WORD=out", "PATH=/bin"},
                                   .directory = "/proc"});
    ASSERT_TRUE(run);
    EXPECT_EQ(run->output, "out\n/proc\n");
    EXPECT_EQ(run->error, "err\n");
    EXPECT_EQ(run->wait_status, 3 << 8);
}

}  // namespace
}  // namespace nlsh
