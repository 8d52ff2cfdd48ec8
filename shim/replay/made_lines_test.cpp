#include "shim/replay/made_lines.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "shim/replay/recorded/test_corpus.h"

namespace nlsh {
namespace {

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
    return made_lines(corpus_of(text), Tool::ip, iproute2_6_1());
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
