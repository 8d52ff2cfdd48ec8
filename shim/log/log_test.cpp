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
        log.write(Level::info, "again");
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

TEST(FailureText, NamesTheCommand) {
    const Evaluation evaluation{
        2, {{2, "ip link add x", 2, "Error: no.", {.error = EEXIST, .extack = "no"}}}};
    EXPECT_EQ(failure_text("a && ip link add x", 2, evaluation, "daemon[7]"),
              "daemon[7]: a chain failed with status 2: command 2 of 2, `ip link add x`, status "
              "2, EEXIST, extack \"no\", \"Error: no.\"; line: a && ip link add x");
}

}  // namespace
}  // namespace nlsh
