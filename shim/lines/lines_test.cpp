#include "shim/lines/lines.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backend/descriptor.h"

namespace nlsh {
namespace {

std::vector<NumberedLine> lines_of(const std::string& text) {
    const Descriptor file(memfd_create("lines", MFD_CLOEXEC));
    EXPECT_EQ(write(file.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
    LineReader reader(fmt::format("/proc/self/fd/{}", file.get()));
    return read_lines(reader);
}

std::vector<std::string> texts(const std::string& file) {
    std::vector<std::string> texts;
    for (const NumberedLine& line : lines_of(file))
        texts.push_back(line.text);
    return texts;
}

TEST(Lines, NumbersAndWindowsLineEnds) {
    const auto lines = lines_of("# a comment\r\n\r\nip link show lo\r\nip addr");
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
    EXPECT_EQ(texts(text), commands);
}

TEST(Lines, OfATrace) {
    EXPECT_THAT(texts("popen\tnative\t0\t42\tip link show lo\t\town-socket\n"
                      "system\tfallback\t-\t-\tip tunnel\tbecause\n"),
                testing::ElementsAre("ip link show lo", "ip tunnel"));
}

}  // namespace
}  // namespace nlsh
