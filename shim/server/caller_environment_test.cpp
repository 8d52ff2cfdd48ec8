#include "shim/server/caller_environment.h"

#include <gtest/gtest.h>

#include <vector>

namespace nlsh {
namespace {

CallerEnvironment of(std::vector<std::string_view> variables,
                     std::string_view command = "ip link") {
    return caller_environment(variables, command);
}

TEST(CallerEnvironment, Path) {
    EXPECT_EQ(of({"PATH=/sbin:/bin"}).path, "/sbin:/bin");
    EXPECT_EQ(of({}).path, "");
    EXPECT_EQ(of({"PATH="}).unsupported, "PATH");  // set to nothing isn't unset
}

TEST(CallerEnvironment, VariablesThatMatter) {
    EXPECT_EQ(of({"HZ=100"}).unsupported, "HZ");
    EXPECT_EQ(of({"PATH=/bin"}).unsupported, "");
}

TEST(CallerEnvironment, LocaleMattersToFiltersOnly) {
    EXPECT_EQ(of({"LANG=de_DE.UTF-8"}).unsupported, "");
    EXPECT_EQ(of({"LANG=de_DE.UTF-8"}, "ip link | sort").unsupported, "LANG");
    EXPECT_EQ(of({"LC_ALL=C.UTF-8"}, "ip link | sort").unsupported, "");
}

}  // namespace
}  // namespace nlsh
