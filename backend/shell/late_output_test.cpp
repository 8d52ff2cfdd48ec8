#include "backend/shell/late_output.h"

#include <gmock/gmock.h>

#include <string_view>

#include "backend/shell/fake_environment.h"
#include "parser/program.h"

namespace nlsh {
namespace {

LateOutput of(std::string_view line) {
    const auto program = parse_program(line, Dialect::dash, FakeEnvironment());
    EXPECT_TRUE(program) << line;
    return program ? late_output(*program, line.size()) : LateOutput{};
}

TEST(LateOutput, IsNothingWhereNothingIsChanged) {
    const LateOutput late = of("ip show x; echo y; ip show z | grep y");
    EXPECT_FALSE(late.shows);
    EXPECT_EQ(late.texts, 0);
}

TEST(LateOutput, HasNoBoundWhereAShowComesAfterAChange) {
    for (const auto* line :
         {"ip set x; ip show y", "ip set x && ip show y", "ip set x; ip show y | cat",
          "ip set x; (ip show y) 2>/dev/null", "if ip set x; then ip show y; fi",
          "ip set x; bash -c 'ip show y'", "echo 1 >/proc/sys/x; ip show y",
          "for a in b c; do ip show $a; ip set $a; done"})
        EXPECT_TRUE(of(line).shows) << line;
}

TEST(LateOutput, HasABoundWhereOnlyTextsCome) {
    for (const auto* line :
         {"ip set x", "ip show y; ip set x", "ip set x; echo y", "ip set x; ip show y >/dev/null",
          "ip set x; ip show y >/dev/null 2>&1; echo z", "ip set x; ip show y | grep -q z",
          "ip set x; ip show y | wc -l", "ip set x; (ip show y; ip show z) >/dev/null",
          "for a in b c; do ip set $a; echo $a; done"}) {
        EXPECT_FALSE(of(line).shows) << line;
        EXPECT_GT(of(line).texts, 256) << line;
    }
}

}  // namespace
}  // namespace nlsh
