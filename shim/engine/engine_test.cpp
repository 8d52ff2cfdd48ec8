#include "shim/engine/engine.h"

#include <gtest/gtest.h>

namespace nlsh {
namespace {

constexpr const char* line = "ip link show lo | sort >/tmp/nlsh-engine-test";

// A cached answer for one caller isn't used for a different one.
TEST(Engine, AnswersAreTheCallersOwn) {
    Engine engine;
    CallerEnvironment usual;
    usual.any_file = true;
    if (!engine.prepare(line, usual)) GTEST_SKIP() << "no iproute2 that is known";
    CallerEnvironment others[5] = {usual, usual, usual, usual, usual};
    others[0].path = "/nonexistent";
    others[1].any_file = false;
    others[2].plain_locale = false;
    others[3].unsupported = "HZ";
    others[4].functions = {"sort"};
    for (int round = 0; round < 3; ++round) {  // a line is cached when it has come twice
        EXPECT_TRUE(engine.prepare(line, usual));
        for (const CallerEnvironment& other : others)
            EXPECT_FALSE(engine.prepare(line, other)) << &other - others;
    }
    CallerEnvironment dark = usual;
    dark.colors.dark = true;
    for (int round = 0; round < 3; ++round) {
        EXPECT_TRUE((*engine.prepare(line, dark))->colors.dark);
        EXPECT_FALSE((*engine.prepare(line, usual))->colors.dark);
    }
}

}  // namespace
}  // namespace nlsh
