#include "shim/replay/tally.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "shim/replay/recorded/test_corpus.h"

namespace nlsh {
namespace {

std::string line(const char* label, char build, const char* units, const char* traits) {
    std::string content = item('w', label) + item('B', std::string(1, build)) + item('u', units);
    if (*traits != 0) content += item('T', traits);
    return item('l', content) + item('r', "");
}

// Tapes 0 to 2 are of the older build, 3 to 5 of the newer one, which alone is like the installed
// one in the trait `odd`.
Corpus corpus() {
    const std::string text =
        item('b', "old") + item('b', "new") + line("a", 0, "ip a| .", "") +
        line("b", 0, "ip b| .\nip b| ~x", "") + line("c", 0, "ip c| .", "odd") +
        line("a", 1, "ip a| .\nip a| =k", "") + line("b", 1, "ip b| .\nip | ~-n", "") +
        line("c", 1, "ip c| .\nbridge c| .", "");
    return corpus_of(text);
}

using Verdict = Replayed::Verdict;
using Wanted = std::set<uint32_t>;

struct Trial {
    Corpus recorded = corpus();
    Tally tally{recorded, Tool::ip, {{}, {"odd"}}};
    std::vector<Replayed> answers = std::vector<Replayed>(6);

    Wanted wanted() {
        Wanted tapes;
        tally.advance(answers, tapes);
        return tapes;
    }
    bool has(const char* unit) const {
        return tally.proven().text().contains(fmt::format("\n{:016x}\n", unit_of(unit)));
    }
};

TEST(Tally, AsksTheNewestFirst) {
    Trial trial;
    EXPECT_EQ(trial.wanted(), (Wanted{3, 4, 5}));
    for (const size_t tape : {3U, 4U, 5U})
        trial.answers[tape].verdict = Verdict::same;
    EXPECT_EQ(trial.wanted(), Wanted());
    EXPECT_TRUE(trial.has("ip a| .") && trial.has("ip a| =k") && trial.has("ip | ~-n"));
    EXPECT_FALSE(trial.has("ip b| ~x"));  // used by the other recording of the line
    EXPECT_FALSE(trial.has("bridge c| ."));
    EXPECT_EQ(trial.tally.counts().same, 3U);
}

TEST(Tally, AsksOlderOnesOfWhatDiffersOrHung) {
    Trial trial;
    trial.wanted();
    trial.answers[3].verdict = trial.answers[5].verdict = Verdict::different;
    EXPECT_EQ(trial.wanted(), (Wanted{0, 1}));  // nlsh does `c` as for the newer build only
    trial.answers[0].verdict = Verdict::same;
    trial.answers[1].verdict = Verdict::different;
    EXPECT_EQ(trial.wanted(), Wanted());
    EXPECT_TRUE(trial.has("ip a| ."));
    EXPECT_FALSE(trial.has("ip a| =k"));
    const Qualified::Counts counts = trial.tally.counts();
    EXPECT_EQ(counts.same, 1U);
    EXPECT_EQ(counts.different, 2U);
    EXPECT_EQ(trial.tally.proven().left(), (std::vector<std::string>{"ip b|", "ip c|"}));
}

TEST(Tally, ContradictsTheRowsOfTheNewest) {
    Trial trial;
    trial.wanted();
    for (Replayed& answer : trial.answers)
        answer.verdict = Verdict::different;
    trial.wanted();
    trial.wanted();
    const Qualified::Counts counts = trial.tally.counts();
    EXPECT_EQ(counts.contradicted, 4U);  // a, its k, b, c: not what an option changes, nor ~x
    EXPECT_EQ(counts.unproven, 2U);
}

TEST(Tally, ContradictsTheOptionAloneByWhatEntersOtherwise) {
    Trial trial;
    trial.wanted();
    for (Replayed& answer : trial.answers)
        answer.verdict = Verdict::same;
    trial.answers[1].verdict = Verdict::different;
    trial.answers[4].verdict = Verdict::entered;
    trial.wanted();
    EXPECT_EQ(trial.wanted(), Wanted());
    EXPECT_EQ(trial.tally.counts().different, 1U);
    EXPECT_EQ(trial.tally.counts().contradicted, 1U);
    EXPECT_FALSE(trial.has("ip | ~-n"));
    EXPECT_EQ(trial.tally.proven().left(), std::vector<std::string>());
}

}  // namespace
}  // namespace nlsh
