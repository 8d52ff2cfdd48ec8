#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "shim/stats/command_names.h"
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
    EXPECT_NEAR(static_cast<double>(quantile(counts, 0.5)), 50'000, 50'000. / 16);
    EXPECT_NEAR(static_cast<double>(quantile(counts, 1)), 100'000, 100'000. / 16);
    EXPECT_EQ(quantile({}, 0.5), 0u);
}

TEST(LabelCounts, AreBounded) {
    LabelCounts counts;
    for (int i = 0; i < 300; ++i)
        counts.add("daemon" + std::to_string(i));
    counts.add("daemon0");
    counts.add("");
    EXPECT_EQ(std::distance(counts.begin(), counts.end()), LabelCounts::max + 1);
    LabelCounts sum;
    sum.add(counts);
    sum.add(counts);
    const std::map<std::string, uint64_t> found(sum.begin(), sum.end());
    EXPECT_EQ(found.at("daemon0"), 4U);
    EXPECT_EQ(found.at("other"), 2U * 45);
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
    const std::vector<std::string> commands = command_names(program);
    Counters& one = registry.take();
    Counters& two = registry.take();
    one.native(commands, "daemon", good);
    two.native(commands, "daemon", bad);
    registry.latency().add(50'000);
    registry.latency().add(60'000);
    two.fallback("because \"so\"", "");
    registry.give_back(two);
    EXPECT_EQ(&registry.take(), &two);
    const auto sum = registry.snapshot();
    EXPECT_EQ(sum["lines"].dump(), R"({"native":2,"fallback":1,"failed":1})");
    EXPECT_EQ(sum["commands"].dump(), R"([{"name":"ip link set","count":2}])");
    EXPECT_EQ(sum["errors"][0]["name"], "EEXIST");
    EXPECT_EQ(sum["programs"].dump(),
              R"([{"name":"daemon","lines":2},{"name":"other","lines":1}])");
    EXPECT_THAT(as_prometheus(sum), HasSubstr("nlsh_program_lines_total{program=\"daemon\"} 2\n"));
    EXPECT_THAT(as_prometheus(sum), HasSubstr("nlsh_build_info{version=\""));
    EXPECT_THAT(as_tables(sum),
                HasSubstr("3 lines: 2 native (66.7%, 1 of them failed), 1 fell back"));
    EXPECT_THAT(as_prometheus(sum),
                HasSubstr(R"(nlsh_fallbacks_total{reason="because \"so\""} 1)"));
    EXPECT_THAT(as_prometheus(sum), HasSubstr("nlsh_line_duration_seconds_bucket{le=\"+Inf\"} 2"));
    EXPECT_EQ(with_quantiles(sum)["latency"]["count"], 2);
    const auto nothing = difference(sum, sum);
    EXPECT_EQ(nothing["latency"]["buckets"].size() + nothing["commands"].size(), 0u);
    EXPECT_EQ(nothing["interval_ms"], 0);
    EXPECT_THAT(as_tables(nothing), testing::StartsWith("the last 0.0 s of "));
}

}  // namespace
}  // namespace nlsh
