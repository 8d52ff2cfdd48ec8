#include "shim/log/log.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <string>

#include "shim/log/failure.h"

namespace nlsh {
namespace {

using testing::HasSubstr;

class Pipe {
  public:
    Pipe() { EXPECT_EQ(pipe2(ends_.data(), O_NONBLOCK), 0); }
    ~Pipe() {
        close(ends_[0]);
        close(ends_[1]);
    }
    int in() const { return ends_[1]; }
    std::string text() const {
        std::string all(1 << 20, '\0');
        const ssize_t got = read(ends_[0], all.data(), all.size());
        all.resize(got > 0 ? static_cast<size_t>(got) : 0);
        return all;
    }

  private:
    std::array<int, 2> ends_{};
};

TEST(Log, TimesAndLevels) {
    const Pipe pipe;
    Log(Level::warning, pipe.in()).write(Level::error, "it");
    EXPECT_THAT(pipe.text(), testing::MatchesRegex(
                                 "20[0-9]+-[0-9]+-[0-9]+T[0-9:]+[.][0-9]+Z nlsh: error: it\n"));
}

TEST(Log, TheJournalGetsPriorities) {
    const Pipe pipe;
    struct stat status;
    ASSERT_EQ(fstat(pipe.in(), &status), 0);
    const std::string stream = std::to_string(status.st_dev) + ":" + std::to_string(status.st_ino);
    setenv("JOURNAL_STREAM", stream.c_str(), 1);
    Log log(Level::warning, pipe.in());
    log.write(Level::warning, "one\ntwo");
    log.write(Level::info, "not this");
    EXPECT_EQ(pipe.text(), "<4>nlsh: one\\x0atwo\n");
    unsetenv("JOURNAL_STREAM");
}

TEST(Log, AFloodIsHeldBack) {
    const Pipe pipe;
    Log log(Level::info, pipe.in());
    for (int i = 0; i < 1000; ++i)
        log.write(Level::info, std::to_string(i));
    const std::string text = pipe.text();
    const auto lines = std::ranges::count(text, '\n');
    EXPECT_GE(lines, Log::burst);
    EXPECT_LE(lines, Log::burst + 10);
    log.write(Level::error, "another level");
    EXPECT_THAT(pipe.text(), HasSubstr("another level"));
}

TEST(Log, AReaderThatDoesNotReadHoldsNobodyUp) {
    const Pipe pipe;
    const std::string filling(4096, 'x');
    while (write(pipe.in(), filling.data(), filling.size()) > 0) {
    }
    Log log(Level::info, pipe.in());
    log.write(Level::info, "no room");
    EXPECT_EQ(pipe.text().find("no room"), std::string::npos);
}

TEST(Log, WhatComesAgainIsCounted) {
    const Pipe pipe;
    {
        Log log(Level::info, pipe.in());
        for (int i = 0; i < 365; ++i)
            log.write(Level::info, "d[" + std::to_string(i) + "]: no", "d: no");
        log.write(Level::info, "another");
        const std::string text = pipe.text();
        EXPECT_EQ(std::ranges::count(text, '\n'), 2);
        EXPECT_THAT(text, HasSubstr("d[0]: no\n"));
    }
    EXPECT_THAT(pipe.text(), HasSubstr("info: 364 times more in 0 s: d[0]: no\n"));
}

TEST(Repeats, AreToldOnceAMinute) {
    using std::chrono::seconds;
    Repeats repeats;
    std::vector<std::string> said;
    const Repeats::Say say = [&](Level, const std::string& text) { said.push_back(text); };
    const Repeats::Clock::time_point start{};
    const auto first = [&](std::string_view text, int second) {
        return repeats.is_first(Level::info, text, text, start + seconds(second), say);
    };
    EXPECT_TRUE(first("one", 0));
    EXPECT_TRUE(first("two", 1));
    for (int second = 2; second < 10; ++second)
        EXPECT_FALSE(first("one", second));
    EXPECT_TRUE(said.empty());
    EXPECT_FALSE(first("one", 60));  // begins another minute
    EXPECT_THAT(said, testing::ElementsAre("8 times more in 60 s: one"));
    repeats.settle(start + seconds(121), say);
    EXPECT_THAT(said,
                testing::ElementsAre("8 times more in 60 s: one", "1 times more in 61 s: one"));
    repeats.settle(start + seconds(200), say);
    EXPECT_EQ(repeats.due(), Repeats::Clock::time_point::max());
    EXPECT_TRUE(first("one", 201));
}

TEST(Repeats, AreBounded) {
    Repeats repeats;
    std::vector<std::string> said;
    const Repeats::Say say = [&](Level, const std::string& text) { said.push_back(text); };
    const Repeats::Clock::time_point now{};
    EXPECT_TRUE(repeats.is_first(Level::info, "old", "old", now, say));
    EXPECT_FALSE(repeats.is_first(Level::info, "old", "old", now, say));
    for (size_t i = 0; i < Repeats::most; ++i)
        EXPECT_TRUE(repeats.is_first(Level::info, "new", std::to_string(i), now, say));
    EXPECT_THAT(said, testing::ElementsAre("1 times more in 0 s: old"));
    EXPECT_TRUE(repeats.is_first(Level::info, "old", "old", now, say));
}

TEST(FailureText, NamesTheCommand) {
    const Evaluation evaluation{
        2, {{2, "ip link add x", 2, "Error: no.", {.error = EEXIST, .extack = "no"}}}};
    EXPECT_TRUE(has_failed(evaluation));
    EXPECT_EQ(failure_text("a && ip link add x", 2, evaluation),
              "a chain failed with status 2: command 2 of 2, `ip link add x`, status "
              "2, EEXIST, extack \"no\", \"Error: no.\"; line: a && ip link add x");
}

TEST(FailureText, NothingIsFoundButNothingFailed) {
    const Failure none{
        .position = 2, .command = "grep x", .status = 1, .message = "", .says_no = true};
    const Failure failed{.position = 1, .command = "ip link show x", .status = 1, .message = ""};
    EXPECT_FALSE(has_failed({1, {none}}));
    EXPECT_TRUE(has_failed({1, {failed, none}}));
    EXPECT_FALSE(has_failed({0, {failed}}));
}

}  // namespace
}  // namespace nlsh
