#include "shim/library/format.h"

#include <gmock/gmock.h>

namespace nlsh {
namespace {

std::optional<std::string> formatted(const char* format, ...) {
    va_list values;
    va_start(values, format);
    auto line = format_line(format, values);
    va_end(values);
    return line;
}

TEST(FormatLine, Values) {
    EXPECT_EQ(formatted("ip link set %s mtu %d", "eth0", 9100), "ip link set eth0 mtu 9100");
    EXPECT_EQ(formatted("Vlan%d %u %ld %lu %%", -1, 4294967295U, -3L, 4UL),
              "Vlan-1 4294967295 -3 4 %");
    EXPECT_EQ(formatted(""), "");
}

TEST(FormatLine, WordsAreQuoted) {
    EXPECT_EQ(formatted("echo %s", "a b; it's $x"), "echo 'a b; it'\\''s $x'");
    EXPECT_EQ(formatted("echo %s %s", "", "10.0.0.1/24"), "echo '' 10.0.0.1/24");
    EXPECT_EQ(formatted("echo %s", "~root"), "echo '~root'");
    EXPECT_EQ(formatted("%s", "a=b"), "'a=b'");  // a word, never an assignment
}

TEST(FormatLine, WhatItHasNot) {
    EXPECT_FALSE(formatted("%c", 'x'));
    EXPECT_FALSE(formatted("%5d", 1));
    EXPECT_FALSE(formatted("at the end %"));
    EXPECT_FALSE(formatted("%s", static_cast<const char*>(nullptr)));
}

}  // namespace
}  // namespace nlsh
