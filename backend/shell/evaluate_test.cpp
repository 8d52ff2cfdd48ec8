#include "backend/shell/evaluate.h"
#include "backend/objects/stats/words/stats.h"
#include "backend/shell/fake_environment.h"

#include <gmock/gmock.h>

#include <cerrno>
#include <map>

namespace nlsh {
namespace {

int fake_run(Context& context, const Command& command) {
    if (!command.is.read_only) context.commit();
    if (command.summary.contains("odd") && context.fall_back("odd")) return 1;
    if (command.summary.contains("bad")) {
        context.err->write("Cannot find device \"bad\"\nmore\n");
        context.refusal = {ENODEV, "words"};
        return 1;
    }
    context.out->write(command.summary + "\n");
    return 0;
}

class FakeFiles final : public Files {
  public:
    struct File final : Output {
        explicit File(std::string& text) : text(text) {}
        bool write(std::string_view bytes) override {
            text.append(bytes);
            return bytes != "bad\n";
        }
        int error() const override { return text == "bad\n" ? EINVAL : 0; }
        std::string& text;
    };
    std::expected<std::unique_ptr<Output>, int> open(const std::string& path,
                                                     bool append) override {
        if (path.contains("missing")) return std::unexpected(ENOENT);
        if (path.contains("read_only")) return std::unexpected(EROFS);
        if (!append) texts[path].clear();
        return std::make_unique<File>(texts[path]);
    }
    std::expected<std::string, int> read(const std::string& path) override { return texts[path]; }
    std::expected<unsigned, int> mode(const std::string& path) override {
        if (path.contains("missing")) return std::unexpected(ENOENT);
        return 0100644;
    }
    std::map<std::string, std::string> texts;
};

struct Result {
    int status = -1;
    std::string out{}, err{}, fallback{};
    std::vector<Failure> failures{};
    std::map<std::string, std::string> files{};
};

Result run(std::string_view line, Dialect dialect = Dialect::dash) {
    FakeEnvironment environment;
    auto program = parse_program(line, dialect, environment);
    if (!program) return {.fallback = "parse: " + program.error().reason};
    Session session;
    StringOutput out, err;
    Context context{.session = session, .names = environment.names()};
    FakeFiles files;
    auto evaluation = evaluate(*program, context, out, err, files, {fake_parse, fake_run});
    Result result{.out = out.text, .err = err.text, .files = files.texts};
    if (!evaluation) {
        result.fallback = evaluation.error().reason;
    } else {
        result.status = evaluation->status;
        result.failures = evaluation->failures;
    }
    return result;
}

TEST(Evaluate, WalksLists) {
    EXPECT_EQ(run("ip a && ip b; ip bad || ip c").out, "a\nb\nc\n");
    EXPECT_EQ(run("ip bad && ip b").status, 1);
    EXPECT_EQ(run("(ip a; exit 4; ip b); ip c").out, "a\nc\n");
    EXPECT_EQ(run("ip show | grep -c show; echo $?").out, "1\n0\n");
}

TEST(Evaluate, RunsTheScriptOfVlanmgrd) {
    constexpr std::string_view line =
        R"x(bash -c "ip set a && ( v=\$(ip show); ret=\$?; if [ \$ret -eq 0 ]; then if (! echo \"\$v\" | grep -q none) || false; then ip set b; fi; else exit \$ret; fi )")x";
    auto result = run(line);
    EXPECT_EQ(result.out, "set a\nset b\n");
    EXPECT_EQ(result.status, 0);
}

TEST(Evaluate, NamesFailures) {
    auto result = run("ip a; ip show bad; ip set b");
    ASSERT_EQ(result.failures.size(), 1U);
    EXPECT_EQ(result.failures[0].position, 2);
    EXPECT_EQ(result.failures[0].command, "ip show bad");
    EXPECT_EQ(result.failures[0].message, "Cannot find device \"bad\"");
    EXPECT_EQ(result.err, "Cannot find device \"bad\"\nmore\n");
    EXPECT_EQ(run("ip bad 2>/dev/null").err, "");
}

TEST(Evaluate, AConditionThatSaysNoIsNoFailure) {
    for (const char* line : {"ip show | grep -q nothing", "[ a = b ] && ip set b"}) {
        const auto result = run(line);
        EXPECT_EQ(result.status, 1);
        ASSERT_EQ(result.failures.size(), 1U) << line;
        EXPECT_TRUE(result.failures[0].says_no) << line;
    }
    const auto result = run("ip show bad | grep nothing");
    ASSERT_EQ(result.failures.size(), 2U);
    EXPECT_FALSE(result.failures[0].says_no);
    EXPECT_TRUE(result.failures[1].says_no);
}

TEST(Evaluate, FallsBackWhileNothingWasSeen) {
    auto result = run("ip a; ip show odd");
    EXPECT_EQ(result.fallback, "odd");
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(run("ip a; ip show odd; ip set x").fallback, "odd");
    // After a change it goes on.
    EXPECT_EQ(run("ip set a; ip show odd").fallback, "");
    EXPECT_EQ(run("ip show $(echo nonsense)").fallback, "nonsense");
    EXPECT_EQ(run("ip show $(echo '*')").fallback, "glob in an expansion");
    EXPECT_EQ(run("ip show $(echo 'a   b')").out, "show a b\n");
}

TEST(Evaluate, WritesFilesAtOnce) {
    auto result = run("/bin/echo 0 > /proc/sys/x");
    EXPECT_EQ(result.fallback, "parse: command /bin/echo");
    result = run("echo 0 > /proc/sys/x");
    EXPECT_EQ(result.files["/proc/sys/x"], "0\n");
    EXPECT_EQ(run("echo 0 > /proc/sys/missing").err,
              "sh: 1: cannot create /proc/sys/missing: Directory nonexistent\n");
    EXPECT_EQ(run("echo 0 > /proc/sys/missing").status, 2);
    EXPECT_EQ(run("echo bad > /proc/sys/x").err, "sh: 1: echo: echo: I/O error\n");
    EXPECT_EQ(run("bash -c 'echo bad > /proc/sys/x'").err,
              "bash: line 1: echo: write error: Invalid argument\n");
}

TEST(Evaluate, SetsKeys) {
    auto result = run("sysctl -w net.ipv6.conf.\"Ethernet8/1\".disable_ipv6=0");
    EXPECT_EQ(result.out, "net.ipv6.conf.Ethernet8/1.disable_ipv6 = 0\n");
    EXPECT_EQ(result.files["/proc/sys/net/ipv6/conf/Ethernet8.1/disable_ipv6"], "0\n");
    result = run("sysctl -w net.missing=1");
    EXPECT_EQ(result.err, "sysctl: cannot stat /proc/sys/net/missing: No such file or directory\n");
    EXPECT_EQ(result.status, 1);
    result = run("sysctl -w net.read_only=1");
    EXPECT_EQ(result.err, "sysctl: permission denied on key \"net.read_only\"\n");
    EXPECT_EQ(result.status, 1);
}

TEST(Evaluate, CountsMissingKeys) {
    EXPECT_EQ(run("sysctl net.missing net.missing").status, 2);
    EXPECT_EQ(run("sysctl -w net.missing=1 net.missing=2").status, 1);
    EXPECT_EQ(run("sysctl net.missing net.missing=1").status, 1);
    EXPECT_EQ(run("sysctl net.missing net.missing net.missing=1").status, 3);
    EXPECT_EQ(run("sysctl -e net.missing net.missing").status, 0);
}

}  // namespace
}  // namespace nlsh
