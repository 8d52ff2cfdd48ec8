#include "shim/replay/made_lines.h"

#include <gtest/gtest.h>
#include <lzma.h>

#include <algorithm>
#include <fstream>

namespace nlsh {
namespace {

std::string item(char kind, const std::string& content) {
    std::string text;
    append_item(text, kind, content);
    return text;
}

std::string line(const char* label, const char* units, const std::string& words) {
    std::string text = words;
    std::ranges::replace(text, ' ', '\0');
    return item('l', item('w', label) + item('B', std::string(1, 0)) + item('u', units)) +
           item('r', item('a', text + '\0') + item('S', "request") + item('s', "0000"));
}

constexpr const char* refused_prefix =
    "ip neigh refused| !Error: any valid prefix is expected rather than *. ";

std::vector<MadeLine> made() {
    const std::string text = item('b', "6.1") + item('k', "add\ndev\nneigh\nshow") +
                             line("a", "ip neigh show| .", "ip neigh show dev v0") +
                             line("b", refused_prefix, "ip neigh show v0");
    std::string packed(text.size() + 1000, 0);
    size_t size = 0;
    EXPECT_EQ(lzma_easy_buffer_encode(
                  1, LZMA_CHECK_CRC32, nullptr, reinterpret_cast<const uint8_t*>(text.data()),
                  text.size(), reinterpret_cast<uint8_t*>(packed.data()), &size, packed.size()),
              LZMA_OK);
    const std::string file = testing::TempDir() + "made_lines.xz";
    std::ofstream(file) << packed.substr(0, size);
    const auto corpus = Corpus::read(file);
    EXPECT_TRUE(corpus);
    return made_lines(*corpus, Tool::ip, iproute2_6_1());
}

bool has(const std::vector<MadeLine>& lines, std::string_view unit) {
    return std::ranges::any_of(lines, [&](const MadeLine& each) {
        return std::ranges::find(each.units, unit) != each.units.end();
    });
}

TEST(MadeLines, TakeAnObjectOrAVerbInShort) {
    const auto lines = made();
    for (const char* unit : {"ip neigh show| ~n", "ip neigh show| ~nei", "ip neigh show| ~s"})
        EXPECT_TRUE(has(lines, unit)) << unit;
    EXPECT_FALSE(has(lines, "ip neigh show| ~neig"));
    EXPECT_FALSE(has(lines, "ip neigh show| ~v"));
    const auto in_short = std::ranges::find(lines, "made ip neigh show| ~s", &MadeLine::label);
    ASSERT_NE(in_short, lines.end());
    EXPECT_TRUE(in_short->tape.contains(std::string("ip\0neigh\0s\0dev\0v0\0", 18)));
    EXPECT_TRUE(in_short->tape.contains("request"));
}

TEST(MadeLines, RefuseByFormsThatAreRecorded) {
    const auto lines = made();
    const std::string form = refused_prefix;
    EXPECT_TRUE(has(lines, form + " ~show"));
    EXPECT_TRUE(has(lines, form + " ~show ..."));
    for (const MadeLine& each : lines)
        for (const std::string& unit : each.units)
            EXPECT_TRUE(!unit.contains('!') || unit.starts_with(form)) << unit;
}

}  // namespace
}  // namespace nlsh
