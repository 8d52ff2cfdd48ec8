#include "parser/ip/batch.h"

#include <gmock/gmock.h>

#include "parser/ip/global_options.h"

namespace nlsh {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

BatchLine line_of(std::string_view text, bool whole = true) {
    auto line = read_batch_line(text, whole);
    return line && *line ? **line : BatchLine{};
}

size_t independent(std::string_view text) {
    return independent_part(text, iproute2_6_1());
}

TEST(BatchLine, SplitsAtBlanks) {
    const BatchLine line = line_of("link\tset\r lo  up\nlink");
    EXPECT_THAT(line.words, ElementsAre("link", "set", "lo", "up"));
    EXPECT_EQ(line.size, 17U);
    EXPECT_EQ(line.lines, 1U);
}

TEST(BatchLine, QuotesWholeWordsOnly) {
    EXPECT_THAT(line_of("a 'b \"c' \"d\"e f\"g").words,
                ElementsAre("a", "b \"c", "d", "e", "f\"g"));
    EXPECT_FALSE(read_batch_line("a \"b\n", true));
}

TEST(BatchLine, CutsComments) {
    EXPECT_THAT(line_of("# a\\\nb").words, IsEmpty());
    EXPECT_THAT(line_of("a#b").words, ElementsAre("a"));
    EXPECT_THAT(line_of("a \\#\nb").words, ElementsAre("a", "\\"));
}

TEST(BatchLine, JoinsContinuedLines) {
    const BatchLine line = line_of("a b\\\nc\\\n d # e\\\nf");
    EXPECT_THAT(line.words, ElementsAre("a", "bc", "d"));
    EXPECT_EQ(line.lines, 3U);
    EXPECT_THAT(line_of("a \\").words, ElementsAre("a", "\\"));
    EXPECT_THAT(line_of("a \\ \nb").words, ElementsAre("a", "\\"));
    EXPECT_FALSE(read_batch_line("a \\\n", true));
}

TEST(BatchLine, WaitsForTheRest) {
    EXPECT_EQ(*read_batch_line("a b", false), std::nullopt);
    EXPECT_EQ(*read_batch_line("a b\\\n", false), std::nullopt);
    EXPECT_THAT(line_of("a b\n", false).words, ElementsAre("a", "b"));
}

TEST(BatchState, AddressesAfterLinksShownDepend) {
    EXPECT_EQ(independent("link set lo up\nlink show\naddr add 1.1.1.1 dev lo\n"), 49U);
    EXPECT_EQ(independent("link set lo up\nlink show\naddr\n"), 15U);
    EXPECT_EQ(independent("addr\nl\n"), 7U);
}

TEST(BatchState, NewLinksAfterDeletedOnesDepend) {
    EXPECT_EQ(independent("link add a type bridge\nlink del a\n"), 34U);
    EXPECT_EQ(independent("route\nlink del a\nlink add a type bridge\n"), 0U);
    EXPECT_EQ(independent("link set a netns b\nlink set c name a\n"), 0U);
}

TEST(BatchState, NamesAfterAVethsEndDepend) {
    EXPECT_EQ(independent("# a\naddr\nlink del v0\nlink set v1 up\n"), 4U);
    EXPECT_EQ(independent("link del a\naddr add 1.1.1.1 dev v1\nlink del v0\nroute\n"), 11U);
    EXPECT_EQ(independent("route\ntuntap del t mode tun\nlink set t up\n"), 0U);
    EXPECT_EQ(independent("route\n netns d x\nrule\n"), 0U);
    EXPECT_EQ(independent("route\nl2tp del tunnel tunnel_id 1\nrule\n"), 0U);
    EXPECT_EQ(independent("addr\nlink del v0\n\n# b\nlink set v1 up\n"), 0U);
    EXPECT_EQ(independent("link property add dev a altname b\nlink pr d dev a\nrule\n"), 0U);
}

TEST(BatchState, NamesBeforeAVethsEndDont) {
    for (const std::string text :
         {"addr\nlink del v0\n", "addr\nlink del v0\n\n # b\n", "link del a\nlink del b\nroute\n",
          "addr\nneigh del 1.1.1.1 dev a\ntoken\n",
          "link property add dev a altname b\nlink set b up\n",
          "link add name a type bridge\nlink add name b type bridge\n",
          "xfrm state\nroute#comment\n'route'\n", "link set v0 up\nbogus\nlink bogus\nrule\n"})
        EXPECT_EQ(independent(text), text.size()) << text;
}

using Words = std::vector<std::string>;

TEST(GlobalOptions, FindsTheBatch) {
    const auto invocation =
        parse_invocation(Tool::ip, Words{"-j", "-fo", "-n", "x", "-b", "f", "z"});
    ASSERT_TRUE(invocation);
    EXPECT_EQ(invocation->batch, 5U);
    EXPECT_EQ(invocation->object, 6U);
    EXPECT_EQ(invocation->netns, "x");
    EXPECT_TRUE(invocation->force);
    EXPECT_TRUE(invocation->options.json);
}

TEST(GlobalOptions, OfNoEffect) {
    for (const char* word : {"-c=never", "-color=never", "-t", "-ts", "-a", "-force"})
        EXPECT_TRUE(parse_invocation(Tool::ip, Words{word, "link"})) << word;
    EXPECT_TRUE(parse_invocation(Tool::ip, Words{"-rc", "100000", "-l", "3", "link"}));
    EXPECT_TRUE(parse_invocation(Tool::bridge, Words{"-c=never", "-com", "link"}));
}

TEST(GlobalOptions, Declined) {
    for (const char* word : {"-c=blue", "-com=never", "-rc", "-n", "-b", "-V", "-r", "-f"})
        EXPECT_FALSE(parse_invocation(Tool::ip, Words{word})) << word;
    EXPECT_FALSE(parse_invocation(Tool::ip, Words{"-rc", "x", "link"}));
    EXPECT_FALSE(parse_invocation(Tool::ip, Words{"-f", "any", "link"}));
    EXPECT_FALSE(parse_invocation(Tool::bridge, Words{"-f", "link", "link"}));
}

}  // namespace
}  // namespace nlsh
