#include "shim/engine/caller.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <vector>

namespace nlsh {
namespace {

CallerEnvironment of(std::vector<std::string_view> variables) {
    return caller_environment(variables);
}

TEST(CallerEnvironment, Path) {
    EXPECT_EQ(of({"PATH=/sbin:/bin"}).path, "/sbin:/bin");
    EXPECT_EQ(of({}).path, "");
    EXPECT_EQ(of({"PATH="}).unsupported, "PATH");  // set to nothing isn't unset
}

TEST(CallerEnvironment, VariablesThatMatter) {
    EXPECT_EQ(of({"HZ=100"}).unsupported, "HZ");
    EXPECT_EQ(of({"HZ"}).unsupported, "HZ");
    EXPECT_EQ(of({"PATH=/bin"}).unsupported, "");
}

TEST(CallerEnvironment, FunctionsThatBashWouldTake) {
    setenv("BASH_FUNC_ip%%", "() { echo mine; }", 1);
    EXPECT_THAT(own_environment(false).functions, testing::Contains("ip"));
    unsetenv("BASH_FUNC_ip%%");
    EXPECT_THAT(own_environment(false).functions, testing::Not(testing::Contains("ip")));
}

TEST(CallerEnvironment, DarkBackground) {
    for (const char* value : {"15;0", ";8", "default;default;6", "0;7;0"})
        EXPECT_TRUE(is_dark_background(value)) << value;
    for (const char* value : {"", "0", "0;", "0;7", "0;15", "0;05", "0;0 ", "0;default;15"})
        EXPECT_FALSE(is_dark_background(value)) << value;
}

TEST(CallerEnvironment, Locale) {
    EXPECT_FALSE(of({"LANG=de_DE.UTF-8"}).plain_locale);
    EXPECT_TRUE(of({"LC_ALL=C.UTF-8"}).plain_locale);
    EXPECT_EQ(of({"LANG=de_DE.UTF-8"}).unsupported, "");
    EXPECT_TRUE(of({"LC_ALL=", "LANG=C.UTF-8"}).utf8);
    EXPECT_TRUE(of({"LANG=C", "LC_CTYPE=C.UTF-8"}).utf8);
    EXPECT_FALSE(of({"LC_ALL=C", "LANG=C.UTF-8"}).utf8);
    EXPECT_FALSE(of({"LC_COLLATE=C.UTF-8"}).utf8);
    EXPECT_FALSE(of({}).utf8);
}

}  // namespace
}  // namespace nlsh
