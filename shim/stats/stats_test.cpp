#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "shim/stats/registry.h"
#include "shim/stats/summary.h"

namespace nlsh {
namespace {

using testing::HasSubstr;

TEST(Buckets, EachHoldsWhatItSays) {
    for (uint64_t value = 1; value < Buckets::largest; value += value / 7 + 1) {
        const size_t index = Buckets::index(value);
        EXPECT_GE(Buckets::upper(index), value);
        EXPECT_LE(Buckets::upper(index), value + value / 16);
        if (index > 0) {
            EXPECT_LT(Buckets::upper(index - 1), value);
        }
    }
    EXPECT_LT(Buckets::index(~0ULL), Buckets::count);
}

TEST(Quantile, OfAHundred) {
    BucketCounts counts{};
    for (uint64_t i = 1; i <= 100; ++i)
        ++counts[Buckets::index(i * 1000)];
    EXPECT_NEAR(static_cast<double>(quantile(counts, 0.5)), 50'000, 50'000 / 16);
    EXPECT_NEAR(static_cast<double>(quantile(counts, 1)), 100'000, 100'000 / 16);
    EXPECT_EQ(quantile({}, 0.5), 0u);
}

TEST(Tally, TheLeastCountedGivesWay) {
    Tally tally;
    for (uint64_t key = 1; key <= Tally::size; ++key) {
        tally.add(key);
        tally.add(key);
    }
    for (int i = 0; i < 3; ++i)
        tally.add(1000);
    EXPECT_EQ(tally.all().size(), Tally::size);
    EXPECT_EQ(tally.others(), 2u);
    EXPECT_THAT(tally.all(), testing::Contains(testing::Pair(1000u, 3u)));
}

TEST(Programs, AreBounded) {
    Programs programs;
    const size_t first = programs.number("first");
    for (int i = 0; i < 300; ++i)
        programs.number("daemon" + std::to_string(i));
    EXPECT_EQ(programs.names().size(), Programs::max);
    EXPECT_EQ(programs.number("first"), first);
    EXPECT_EQ(programs.number("another"), Programs::others);
    EXPECT_EQ(programs.number(""), Programs::others);
}

const Evaluation good{};
const Evaluation bad{2, {{1, "ip link add x", 2, "", {.error = EEXIST, .extack = ""}}}};

TEST(Registry, SumsUp) {
    Registry registry;
    Program program;
    Simple simple;
    simple.words.emplace_back();
    Command command;
    command.summary = "link set";
    simple.action = command;
    program.body.items.push_back({simple});
    const std::vector<CommandKind> kinds = registry.kinds().of(program);
    Counters& one = registry.take();
    Counters& two = registry.take();
    const size_t caller = registry.programs().number("daemon");
    one.native({kinds, 7, 12, caller, 50'000, good});
    two.native({kinds, 7, 13, caller, 60'000, bad});
    two.fallback("because \"so\"", 13, Programs::others);
    registry.give_back(two);
    EXPECT_EQ(&registry.take(), &two);
    const auto sum = registry.snapshot([](uint64_t) { return "daemon"; });
    EXPECT_EQ(sum["lines"].dump(), R"({"native":2,"fallback":1,"failed":1})");
    EXPECT_EQ(sum["commands"].dump(), R"([{"name":"ip link set","count":2}])");
    EXPECT_EQ(sum["errors"][0]["name"], "EEXIST");
    EXPECT_EQ(sum["clients"].size(), 2u);
    EXPECT_EQ(sum["programs"].dump(),
              R"([{"name":"other","lines":1},{"name":"daemon","lines":2}])");
    EXPECT_THAT(as_prometheus(sum), HasSubstr("nlsh_program_lines_total{program=\"daemon\"} 2\n"));
    EXPECT_THAT(as_prometheus(sum), HasSubstr("nlsh_build_info{version=\""));
    EXPECT_THAT(as_tables(sum),
                HasSubstr("3 lines: 2 native (66.7%, 1 of them failed), 1 fell back"));
    EXPECT_THAT(as_prometheus(sum),
                HasSubstr(R"(nlsh_fallbacks_total{reason="because \"so\""} 1)"));
    EXPECT_THAT(
        as_prometheus(sum),
        HasSubstr("nlsh_line_duration_seconds_bucket{command=\"ip link set\",le=\"+Inf\"} 2"));
    EXPECT_EQ(with_quantiles(sum)["latency"][0]["count"], 2);
    const auto nothing = difference(sum, sum);
    EXPECT_EQ(nothing["latency"].size() + nothing["commands"].size(), 0u);
    EXPECT_EQ(nothing["interval_ms"], 0);
    EXPECT_THAT(as_tables(nothing), testing::StartsWith("the last 0.0 s of "));
}

}  // namespace
}  // namespace nlsh
