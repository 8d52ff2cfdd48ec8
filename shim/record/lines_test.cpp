#include "shim/record/lines.h"

#include <gmock/gmock.h>

#include <sstream>

namespace nlsh {
namespace {

std::vector<std::string> texts(std::istream& file) {
    std::vector<std::string> texts;
    for (const NumberedLine& line : read_lines(file))
        texts.push_back(line.text);
    return texts;
}

TEST(Lines, NumbersAndWindowsLineEnds) {
    std::istringstream file("# a comment\r\n\r\nip link show lo\r\nip addr");
    const auto lines = read_lines(file);
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0].text, "ip link show lo");
    EXPECT_EQ(lines[0].number, 3u);
    EXPECT_EQ(lines[1].number, 4u);
}

TEST(Lines, WhatIsWrittenIsRead) {
    const std::vector<std::string> commands{"ip link", "ip link\nip addr", " ip -br addr ",
                                            "# ip\tlink", "a\tb"};
    std::string text = "# a comment\n\n";
    for (const std::string& command : commands)
        text += as_line(command);
    std::istringstream file(text);
    EXPECT_EQ(texts(file), commands);
}

TEST(Lines, OfATrace) {
    std::istringstream file(
        "popen\tnative\t0\t42\tip link show lo\t\n"
        "system\thanded-over\t-\t-\tip tunnel\tbecause\n");
    EXPECT_THAT(texts(file), testing::ElementsAre("ip link show lo", "ip tunnel"));
}

}  // namespace
}  // namespace nlsh
