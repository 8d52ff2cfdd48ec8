// Rows of options: accepted words, errors, and the printed help.
#include "shim/cli/options.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include "shim/cli/help.h"

namespace nlsh {
namespace {

using Begins = ProgramWords::Begins;
using testing::ElementsAre;
using testing::HasSubstr;

struct Values {
    bool flag = false;
    bool other = false;
    unsigned number = 7;
    double rate = 0;
    std::string text = "before";
    GivenWords list;
    GivenWords words;
    GivenWords program;
};

constexpr Subcommand verb{.name = "verb", .about = "What it does"};

CommandLine line_of(Values& values, Begins begins = Begins::never) {
    return {.options = {{.name = "flag", .letter = 'f', .field = &values.flag, .help = "A flag"},
                        {.name = "other", .field = &values.other, .excludes = "flag"},
                        {.name = "number",
                         .letter = 'n',
                         .value = "NUMBER",
                         .field = &values.number,
                         .help = "A number",
                         .least = 4,
                         .most = 4096},
                        {.name = "rate", .value = "RATE", .field = &values.rate, .most = 1},
                        {.name = "text",
                         .value = "TEXT",
                         .field = &values.text,
                         .help = "A text",
                         .variable = "NLSH_OPTIONS_TEST"},
                        {.name = "list", .value = "ONE", .field = &values.list}},
            .operand = {.name = "[WORD…]", .field = &values.words, .help = "A word"},
            .program = {.begins = begins, .words = &values.program}};
}

// The complaint; empty: the words were read.
std::string complaint(const GivenWords& words, Begins begins = Begins::never) {
    Values values;
    testing::internal::CaptureStderr();
    const auto ended = read_arguments(verb, line_of(values, begins), words);
    const std::string error = testing::internal::GetCapturedStderr();
    EXPECT_EQ(ended, error.empty() ? std::optional<int>() : 2);
    return error.substr(0, error.find('\n'));
}

TEST(Options, ValuesGoWhereTheRowsSay) {
    Values values;
    const GivenWords words{"-f",       "a",      "--number=9", "--list", "x",
                           "--list=y", "--rate", "0.5",        "b"};
    EXPECT_EQ(read_arguments(verb, line_of(values), words), std::nullopt);
    EXPECT_TRUE(values.flag);
    EXPECT_EQ(values.number, 9u);
    EXPECT_EQ(values.rate, 0.5);
    EXPECT_EQ(values.text, "before");
    EXPECT_THAT(values.list, ElementsAre("x", "y"));
    EXPECT_THAT(values.words, ElementsAre("a", "b"));
}

TEST(Options, Complaints) {
    EXPECT_EQ(complaint({"--bogus"}), "nlsh: not expected: --bogus");
    EXPECT_EQ(complaint({"-fx"}), "nlsh: not expected: -x");
    EXPECT_EQ(complaint({"--text"}), "nlsh: --text takes a value");
    EXPECT_EQ(complaint({"-n"}), "nlsh: -n takes a value");
    EXPECT_EQ(complaint({"--flag=1"}), "nlsh: --flag takes no value");
    EXPECT_EQ(complaint({"--help=1"}), "nlsh: --help takes no value");
    EXPECT_EQ(complaint({"-n", "-1"}), "nlsh: --number: -1 isn't 4 to 4096");
    EXPECT_EQ(complaint({"-n", "5x"}), "nlsh: --number: 5x isn't 4 to 4096");
    EXPECT_EQ(complaint({"--rate", "nan"}), "nlsh: --rate: nan isn't 0 to 1");
    EXPECT_EQ(complaint({"--text", "a", "--text=b"}), "nlsh: --text is given twice");
    EXPECT_EQ(complaint({"--flag", "--other"}), "nlsh: --other excludes --flag");
    EXPECT_EQ(complaint({"-f", "--flag"}), "");
}

TEST(Options, AVariableStandsForWhatIsNotGiven) {
    const auto text = [](const GivenWords& words) {
        Values values;
        EXPECT_EQ(read_arguments(verb, line_of(values), words), std::nullopt);
        return values.text;
    };
    setenv("NLSH_OPTIONS_TEST", "by variable", 1);
    EXPECT_EQ(text({}), "by variable");
    EXPECT_EQ(text({"--text", "given"}), "given");
    setenv("NLSH_OPTIONS_TEST", "", 1);
    EXPECT_EQ(text({}), "before");
    unsetenv("NLSH_OPTIONS_TEST");
}

TEST(Options, WhereAProgramBegins) {
    const auto program = [](Begins begins, const GivenWords& words) {
        Values values;
        EXPECT_EQ(read_arguments(verb, line_of(values, begins), words), std::nullopt);
        return std::pair(values.words, values.program);
    };
    using Both = std::pair<GivenWords, GivenWords>;
    EXPECT_EQ(program(Begins::at_once, {"--", "p", "-f"}), Both({}, {"p", "-f"}));
    EXPECT_EQ(program(Begins::at_once, {"-x"}), Both({}, {"-x"}));
    EXPECT_EQ(program(Begins::after_options, {"-f", "p", "-x", "--"}), Both({}, {"p", "-x", "--"}));
    EXPECT_EQ(program(Begins::after_options, {"--", "-p"}), Both({}, {"-p"}));
    EXPECT_EQ(program(Begins::after_dashes, {"w", "-f", "--", "p", "-x"}),
              Both({"w"}, {"p", "-x"}));
    EXPECT_EQ(program(Begins::after_dashes, {"w"}), Both({"w"}, {}));
    EXPECT_EQ(program(Begins::never, {"a", "--", "-f"}), Both({"a", "-f"}, {}));
    // POSIXLY_CORRECT, which getopt(3) obeys, changes nothing.
    setenv("POSIXLY_CORRECT", "1", 1);
    EXPECT_EQ(program(Begins::after_dashes, {"w", "-f", "--", "p"}), Both({"w"}, {"p"}));
    unsetenv("POSIXLY_CORRECT");
}

TEST(Options, WordsThatAreOneLine) {
    std::optional<std::string> text;
    const CommandLine line{.operand = {.name = "LINE", .field = &text, .whole = [](auto& word) {
                                           return word.contains(' ');
                                       }}};
    EXPECT_EQ(read_arguments(verb, line, {"ip", "-j", "link", "a b"}), std::nullopt);
    EXPECT_EQ(text, "ip -j link 'a b'");
    testing::internal::CaptureStderr();
    EXPECT_EQ(read_arguments(verb, line, {"ip link", "more"}), 2);
    EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("not expected: more"));
}

TEST(Options, Help) {
    Values values;
    const std::string help = help_of(verb, line_of(values, Begins::after_dashes));
    EXPECT_THAT(help, HasSubstr("Usage: nlsh verb [OPTION…] [WORD…] -- PROGRAM [ARGUMENT…]\n"));
    EXPECT_THAT(help, HasSubstr("\n  WORD  A word\n"));
    EXPECT_THAT(help, HasSubstr("  -f,--flag           A flag\n"));
    EXPECT_THAT(help, HasSubstr("  -n,--number NUMBER  A number (4 to 4096; default 7)\n"));
    EXPECT_THAT(help, HasSubstr("A text (default before; or by NLSH_OPTIONS_TEST)\n"));
    testing::internal::CaptureStdout();
    EXPECT_EQ(read_arguments(verb, line_of(values), {"-f", "-h", "--bogus"}), 0);
    EXPECT_EQ(testing::internal::GetCapturedStdout(), help_of(verb, line_of(values)));
}

TEST(Options, HelpIsBrokenAt80Columns) {
    std::string words;
    for (int i = 0; i < 40; ++i)
        words += "word… ";
    const std::string rows = help_rows({{"name", words}, {std::string(30, 'n'), "beside"}});
    EXPECT_THAT(rows, HasSubstr("n\n"));
    for (size_t at = 0, end; (end = rows.find('\n', at)) != rows.npos; at = end + 1) {
        size_t columns = 0;
        for (const char c : rows.substr(at, end - at))
            columns += (c & 0xc0) != 0x80;
        EXPECT_LE(columns, 80u);
    }
}

}  // namespace
}  // namespace nlsh
