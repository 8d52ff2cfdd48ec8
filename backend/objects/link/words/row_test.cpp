#include "backend/objects/link/words/row.h"

#include <gtest/gtest.h>

#include "backend/objects/link/words/kind.h"

namespace nlsh {
namespace {

constexpr Trait newer = Trait::bridge_root_id;

constexpr LinkRow rows[] = {
    {.word = "cost_limit", .attribute = 1, .codec = {read_u32}},
    {.word = "cost_mode", .attribute = 2, .codec = {read_u32}},
    {.word = "cost", .attribute = 3, .codec = {read_u32}},
    {.word = "quick", .attribute = 4, .codec = {set_flag}, .exact = true},
    {.word = "shown", .attribute = 5},
    {.word = "fresh", .attribute = 6, .codec = {read_u32}, .since = newer},
    {.word = "stale", .attribute = 7, .codec = {read_u32}, .until = newer},
};
constexpr LinkKind kind{.name = "fake", .rows = rows};
constexpr const LinkKind* kinds[] = {&kind};

// The attribute of the row for a word: 0 for none, -1 if it is declined.
int meant(std::string_view word, Traits traits = iproute2_6_1()) {
    const auto row = find_option(rows, word, traits);
    if (!row) return -1;
    return *row == nullptr ? 0 : (*row)->attribute;
}

TEST(LinkRow, AWordInFullWins) {
    EXPECT_EQ(meant("cost"), 3);
    EXPECT_EQ(meant("cost_m"), 2);
    EXPECT_EQ(meant("cost_"), -1);
    EXPECT_EQ(meant("quick"), 4);
    EXPECT_EQ(meant("qui"), 0);
    EXPECT_EQ(meant("shown"), 0);  // no option
}

TEST(LinkRow, CountsInSomeVersions) {
    EXPECT_EQ(meant("fresh"), 0);
    EXPECT_EQ(meant("stale"), 7);
    Traits traits = iproute2_6_1();
    traits.set(newer, true);
    EXPECT_EQ(meant("fresh", traits), 6);
    EXPECT_EQ(meant("stale", traits), 0);
    traits.forget(newer);
    EXPECT_EQ(meant("fresh", traits), -1);
    EXPECT_EQ(meant("stale", traits), -1);
}

TEST(LinkRow, KindsComeFromTheCaller) {
    Options options;
    const NameTables names = NameTables::built_in();
    const std::vector<std::string> words{"fake", "cost", "7"};
    for (const LinkKinds& known : {LinkKinds{}, LinkKinds{.kinds = kinds}}) {
        const ParseContext context{.options = options, .names = names, .kinds = known};
        Arguments arguments(words, options.traits);
        EXPECT_EQ(parse_link_info(context, true, arguments).has_value(), !known.kinds.empty());
    }
}

}  // namespace
}  // namespace nlsh
