#include "parser/ip/traits/traits.h"
#include "parser/ip/traits/trait_names.h"

#include <gtest/gtest.h>

#include "parser/ip/command.h"
#include "parser/ip/keywords.h"
#include "parser/ip/refusal.h"

namespace nlsh {
namespace {

// Any trait will do.
constexpr Trait newer = Trait::wide_nexthop_weights;

Traits with(Traits::Answer answer) {
    Traits traits = iproute2_6_1();
    traits.set(newer, answer == Traits::Answer::yes);
    if (answer == Traits::Answer::unknown) traits.forget(newer);
    return traits;
}
const Traits lacking = with(Traits::Answer::no);
const Traits having = with(Traits::Answer::yes);
const Traits unknown = with(Traits::Answer::unknown);

struct State {
    int value = 0;
};
template <int Value>
Parsed<void> take(State& state, Arguments&) {
    state.value = Value;
    return {};
}
constexpr Keyword<State> keywords[] = {
    {.word = "color", .take = take<1>, .exact = false, .until = newer},
    {.word = "colour", .take = take<2>, .exact = false},
    {.word = "cobalt", .take = take<3>, .exact = false, .since = newer},
};

// The number of the row for the word; 0: none.
Parsed<int> row_of(const std::string& word, Traits traits) {
    const std::vector<std::string> words{word};
    Arguments arguments(words, traits);
    State state;
    const bool taken = TRY(take_keyword<State>(keywords, state, arguments));
    EXPECT_EQ(taken, arguments.empty());
    return state.value;
}

TEST(Traits, OfARowOfKeywords) {
    EXPECT_EQ(row_of("col", lacking), 1);
    EXPECT_EQ(row_of("cob", lacking), 0);
    EXPECT_EQ(row_of("col", having), 2);
    EXPECT_EQ(row_of("color", having), 0);
    EXPECT_EQ(row_of("cob", having), 3);
    EXPECT_FALSE(row_of("col", unknown));
    EXPECT_FALSE(row_of("cob", unknown));
    EXPECT_EQ(row_of("colour", unknown), 2);
    EXPECT_EQ(row_of("red", unknown), 0);
}

Parsed<Request> parse_toy(ParseContext&, Arguments) {
    return RefusedCommand{};
}
constexpr Verb verbs[] = {
    {.words = {"show", "list"}, .parse = parse_toy},
    {.words = {"shine"}, .parse = parse_toy, .since = newer},
};

Parsed<Request> parse(const std::string& word, Traits traits) {
    const std::vector<std::string> words{word};
    const NameTables names = NameTables::built_in();
    Options options{.traits = traits};
    ParseContext context{.options = options, .names = names, .object = "ip toy"};
    return parse_verb({verbs}, context, Arguments(words, traits));
}

TEST(Traits, OfARowOfVerbs) {
    EXPECT_TRUE(parse("shine", having));
    EXPECT_EQ(parse("shine", lacking).error().message,
              "Command \"shine\" is unknown, try \"ip toy help\".\n");
    ASSERT_FALSE(parse("shi", unknown));
    EXPECT_EQ(parse("shi", unknown).error().message, "");
    EXPECT_TRUE(parse("l", unknown));
}

TEST(Traits, OfABuiltInName) {
    constexpr BuiltInName rows[] = {
        {NameKind::protocol, 4, "static"},
        {NameKind::protocol, 84, "ovn", newer},
    };
    NameTable before;
    EXPECT_TRUE(add_built_in(NameKind::protocol, before, lacking, rows));
    EXPECT_EQ(before.name(84), "");
    EXPECT_EQ(before.name(4), "static");
    NameTable after;
    EXPECT_TRUE(add_built_in(NameKind::protocol, after, having, rows));
    EXPECT_EQ(after.number("ovn"), 84U);
    NameTable either;
    EXPECT_FALSE(add_built_in(NameKind::protocol, either, unknown, rows));
    EXPECT_TRUE(add_built_in(NameKind::table, either, unknown, rows));
}

TEST(Traits, OfTheBuildsThatAreKnown) {
    EXPECT_TRUE(iproute2_6_1().has(Trait::echo_option));
    EXPECT_TRUE(iproute2_6_1().lacks(Trait::port_mab));
    EXPECT_TRUE(iproute2_6_15().has(Trait::port_mab));
    EXPECT_TRUE(iproute2_5_10().lacks(Trait::echo_option));
    EXPECT_TRUE(iproute2_5_10().has(Trait::always));
    EXPECT_TRUE(iproute2_5_10().lacks(Trait::words_of_6_1));
    EXPECT_TRUE(traits_of(Release::v5_15).has(Trait::words_of_5_15));
    EXPECT_TRUE(traits_of(Release::v5_15).lacks(Trait::words_of_6_1));
}

TEST(Traits, OfATextOfErrors) {
    Traits newest = iproute2_6_1();
    newest.set(Trait::garbage_without_article, true);
    EXPECT_EQ(garbage(iproute2_6_1(), "dev", "x").error().message,
              "Error: either \"dev\" is duplicate, or \"x\" is a garbage.\n");
    EXPECT_EQ(garbage(newest, "dev", "x").error().message,
              "Error: either \"dev\" is duplicate, or \"x\" is garbage.\n");
    newest.forget(Trait::garbage_without_article);
    EXPECT_EQ(garbage(newest, "dev", "x").error().message, "");
    // nlsh knows only the older text of other errors.
    EXPECT_EQ(refused_before(newer, lacking, "no\n").error().message, "no\n");
    EXPECT_EQ(refused_before(newer, having, "no\n").error().message, "");
    EXPECT_EQ(refused_before(newer, unknown, "no\n").error().message, "");
}

TEST(Traits, HaveNames) {
    for (const TraitRow& row : trait_rows)
        EXPECT_EQ(trait_named(trait_name(row.trait)), row.trait) << row.name;
    EXPECT_FALSE(trait_named("nosuch"));
    EXPECT_EQ(unknown_trait({}, Trait::echo_option),
              "whether this iproute2 has the trait echo_option isn't known");
    EXPECT_EQ(unknown_trait({}, Trait::always, Trait::echo_option),
              "whether this iproute2 has the trait echo_option isn't known");
}

}  // namespace
}  // namespace nlsh
