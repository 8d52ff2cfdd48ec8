#include "backend/filter/filter.h"

#include <gtest/gtest.h>

namespace nlsh {
namespace {

std::string run(std::string_view base, std::vector<std::string> words, std::string_view input) {
    auto filter = parse_filter(base, words);
    if (!filter) return "declined: " + filter.error().reason;
    StringOutput out;
    int status = run_filter(*filter, input, out);
    return status == 0 ? out.text : out.text + "=" + std::to_string(status);
}

TEST(Grep, SelectsLines) {
    EXPECT_EQ(run("grep", {"b"}, "a\nb\nab"), "b\nab\n");
    EXPECT_EQ(run("grep", {"-c", "x"}, "a\n"), "0\n=1");
    EXPECT_EQ(run("grep", {"-o", "master [^\\s]*"}, "x master Bridge y\n"), "master Bridge y\n");
    EXPECT_EQ(run("grep", {"-w", "eth1"}, "eth10\neth1:\n"), "eth1:\n");
}

TEST(Sed, Substitutes) {
    EXPECT_EQ(run("sed", {"-n", R"(s/.*dev \([^\ ]*\).*/\1/p)"}, "1.1.1.1 dev Eth0 src\nx\n"),
              "Eth0\n");
    EXPECT_EQ(run("sed", {"s/b*/X/g"}, "abc\n"), "XaXcX\n");
    EXPECT_EQ(run("sed", {"p"}, "a"), "a\na");
    EXPECT_EQ(run("sed", {"q"}, "a"), "a\n");
    EXPECT_EQ(run("sed", {"-n", "/x/q;p"}, "a"), "a");
    EXPECT_EQ(run("sed", {"s/$/\\n/;q"}, "a"), "a\n\n");
}

TEST(Awk, PrintsFields) {
    EXPECT_EQ(run("awk", {"{print $2}"}, "  a  b c\n\n"), "b\n\n");
    EXPECT_EQ(run("awk", {"-F:", "/x/ {print $1 \"-\" $NF}"}, "a:b\nx:y:z\n"), "x-z\n");
}

TEST(Awk, TestsAndPrints) {
    EXPECT_EQ(run("awk", {"NR>1 && $2==\"d\" {print NR, NF; exit}"}, "a b\nc d\nc d\n"), "2 2\n");
    EXPECT_EQ(run("awk", {"/c/ {next} {printf \"%s;\", $1}"}, "a b\nc d\ne\n"), "a;e;");
    EXPECT_EQ(run("awk", {"-v", "n=c", "-F[: ]+", "$1==n {print n $2}"}, "a b\nc: d\n"), "cd\n");
}

TEST(PerlPatterns, TakeTheFirstAlternativeThatMatches) {
    EXPECT_EQ(run("grep", {"-oP", "(a|ab)(c|bcd)?"}, "abcd\n"), "abcd\n");
    EXPECT_EQ(run("grep", {"-oP", "a|ab"}, "abab\n"), "a\na\n");
    EXPECT_EQ(run("grep", {"-oP", "(?<=inet )\\S+"}, "inet 10.0.0.1/8 x\n"), "10.0.0.1/8\n");
    EXPECT_EQ(run("grep", {"-oP", "<.+?>"}, "<a><b>\n"), "<a>\n<b>\n");
}

// These patterns keep grep busy, too.
TEST(PerlPatterns, GiveUpAfterManySteps) {
    const std::string line(5000, 'a');
    StringOutput out;
    const auto filter = parse_filter("grep", std::vector<std::string>{"-P", "a*a*a*a*b"});
    ASSERT_TRUE(filter);
    EXPECT_EQ(run_filter(*filter, line, out), gave_up);
}

TEST(SmallFilters, DoWhatTheyShould) {
    EXPECT_EQ(run("tr", {"-d", "\\n"}, "a\nb\n"), "ab");
    EXPECT_EQ(run("cut", {"-d:", "-f2-"}, "a:b:c\nx\n"), "b:c\nx\n");
    EXPECT_EQ(run("head", {"-1"}, "a\nb\n"), "a\n");
    EXPECT_EQ(run("tail", {"-n", "+2"}, "a\nb\nc"), "b\nc");
    EXPECT_EQ(run("wc", {"-l"}, "a\nb"), "1\n");
    EXPECT_EQ(run("sort", {"-n"}, "10\n9\n-1\n"), "-1\n9\n10\n");
    EXPECT_EQ(run("uniq", {"-c"}, "a\na\nb\n"), "      2 a\n      1 b\n");
}

TEST(PlainText, IsAsciiWithoutControls) {
    EXPECT_TRUE(is_plain_text("a\tb\n"));
    EXPECT_FALSE(is_plain_text("\xc3\xa9"));
    EXPECT_FALSE(is_plain_text("\r"));
}

}  // namespace
}  // namespace nlsh
