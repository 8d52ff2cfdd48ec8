#include "shim/record/lines.h"

#include <gmock/gmock.h>

#include <sstream>

namespace nlsh {
namespace {

TEST(Lines, WhatIsWrittenIsRead) {
    const std::vector<std::string> commands{"ip link", "ip link\nip addr", " ip -br addr ",
                                            "# ip\tlink", "a\tb"};
    std::string text = "# a comment\n\n";
    for (const std::string& command : commands)
        text += as_line(command);
    std::istringstream file(text);
    EXPECT_EQ(read_lines(file), commands);
}

TEST(Lines, OfATrace) {
    std::istringstream file(
        "popen\tnative\t0\t42\tip link show lo\t\n"
        "system\thanded-over\t-\t-\tip tunnel\tbecause\n");
    EXPECT_THAT(read_lines(file), testing::ElementsAre("ip link show lo", "ip tunnel"));
}

}  // namespace
}  // namespace nlsh
