// A line whose output can't be written.
#include <gmock/gmock.h>

#include <cerrno>
#include <csignal>
#include <utility>

#include "backend/output.h"
#include "backend/shell/evaluate.h"
#include "backend/shell/fake_environment.h"
#include "parser/program.h"

namespace nlsh {
namespace {

// An output that takes `capacity` bytes and then fails. `known` is the room that it claims to have.
struct FakeSink final : Sink {
    FakeSink(size_t capacity, Room known, WriteFailure failure)
        : left(capacity), known(known), failure(failure) {}
    bool write(std::string_view bytes) override {
        if (failed) return false;
        text.append(bytes.substr(0, left));
        failed = bytes.size() > left;
        left -= std::min(left, bytes.size());
        return !failed;
    }
    Room room(size_t) override { return known; }
    WriteFailure take_failure() override {
        return std::exchange(failed, false) ? failure : WriteFailure{};
    }
    bool untouched() const override { return text.empty(); }

    size_t left;
    Room known;
    WriteFailure failure;
    bool failed = false;
    std::string text;
};

struct NoFiles final : Files {
    std::expected<std::unique_ptr<Output>, int> open(const std::string&, bool) override {
        return std::unexpected(ENOENT);
    }
    std::expected<std::string, int> read(const std::string&) override {
        return std::unexpected(ENOENT);
    }
    std::expected<unsigned, int> mode(const std::string&) override {
        return std::unexpected(ENOENT);
    }
};

int changes = 0;

int fake_run(Context& context, const Command& command) {
    if (command.is.read_only) {
        context.out->write("shown\n");
    } else {
        context.commit();
        ++changes;
    }
    return 0;
}

struct Outcome {
    bool fallback = false;
    int status = 0, signal = 0, changes = 0;
    std::string err{};
    bool operator==(const Outcome&) const = default;
};

Outcome run(std::string_view line, FakeSink&& out) {
    const FakeEnvironment environment;
    const auto program = parse_program(line, Dialect::dash, environment);
    if (!program) return {.fallback = true, .err = program.error().reason};
    Session session;
    StringOutput err;
    Context context{.session = session, .names = environment.names()};
    NoFiles files;
    changes = 0;
    Runner runner;
    runner.run = fake_run;
    const auto evaluation = evaluate(*program, context, out, err, files, runner);
    if (!evaluation) return {.fallback = true, .changes = changes, .err = err.text};
    return {false, evaluation->status, evaluation->signal, changes, err.text};
}

constexpr WriteFailure full{.error = ENOSPC};
constexpr WriteFailure reader_gone{.error = EPIPE, .killed = true};
const Outcome fallback{.fallback = true};

TEST(FailedWrite, FullOutputFallsBackBeforeAnyChange) {
    for (const auto* line : {"echo a && ip set", "ip show; ip set", "ip set && echo a",
                             "ip show | grep shown && ip set", "if ip show; then ip set; fi"}) {
        EXPECT_EQ(run(line, {0, Room::none, full}), fallback) << line;
        EXPECT_EQ(run(line, {0, Room::none, reader_gone}), fallback) << line;
    }
}

TEST(FailedWrite, FailureAtTheFirstByteFallsBack) {
    EXPECT_EQ(run("echo a && ip set", {0, Room::unsure, full}), fallback);
    EXPECT_EQ(run("ip show", {0, Room::sure, full}), fallback);
}

TEST(FailedWrite, ShowsOfWhichOneMayFailInTheMidstFallBack) {
    EXPECT_EQ(run("ip show && ip show", {1, Room::unsure, full}), fallback);
    EXPECT_EQ(run("ip show && ip show", {99, Room::sure, full}), Outcome{});
}

TEST(FailedWrite, InTheMidstEachCommandFailsInItsWay) {
    const auto outcome = [](std::string_view line, WriteFailure failure) {
        return run(line, {1, Room::unsure, failure});
    };
    EXPECT_EQ(outcome("echo abc && ip set", full),
              (Outcome{.status = 1, .err = "sh: 1: echo: echo: I/O error\n"}));
    EXPECT_EQ(outcome("echo abc && ip set", reader_gone),
              (Outcome{.status = 141, .signal = SIGPIPE}));
    EXPECT_EQ(outcome("(echo abc) || ip set", reader_gone), (Outcome{.changes = 1}));
    EXPECT_EQ(outcome("ip show && ip set", full), (Outcome{.changes = 1}));
    EXPECT_EQ(outcome("ip show && ip set", reader_gone), (Outcome{.status = 141}));
    EXPECT_EQ(outcome("ip show; ip set", reader_gone), (Outcome{.changes = 1}));
    EXPECT_EQ(outcome("ip show | grep shown && ip set", full),
              (Outcome{.status = 2, .err = "grep: write error: No space left on device\n"}));
    EXPECT_EQ(
        outcome("ip show | sed s/s/t/ || ip set", full),
        (Outcome{.changes = 1, .err = "sed: couldn't flush stdout: No space left on device\n"}));
    EXPECT_EQ(outcome("ip show | wc -l && ip set", reader_gone), (Outcome{.status = 141}));
}

TEST(FailedWrite, AfterAChangeTheLineGoesOnAsAShellDoes) {
    EXPECT_EQ(run("ip set; echo abc && ip set", {0, Room::sure, full}),
              (Outcome{.status = 1, .changes = 1, .err = "sh: 1: echo: echo: I/O error\n"}));
    EXPECT_EQ(run("ip set; ip show || ip set", {0, Room::sure, reader_gone}),
              (Outcome{.changes = 2}));
}

}  // namespace
}  // namespace nlsh
