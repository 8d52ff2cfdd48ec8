#include "parser/filter/filter.h"

#include <gmock/gmock.h>

#include "parser/filter/regex.h"

namespace nlsh {
namespace {

bool accepts(std::string_view base, std::vector<std::string> words) {
    return parse_filter(base, words).has_value();
}

TEST(ParseFilter, ReadsBundledAndLateOptions) {
    auto filter = parse_filter("grep", std::vector<std::string>{"-vi", "foo", "-c"});
    ASSERT_TRUE(filter);
    const auto& grep = std::get<Grep>(*filter);
    EXPECT_TRUE(grep.invert && grep.count && !grep.quiet);
    EXPECT_TRUE(grep.patterns[0].ignore_case && grep.patterns[0].fixed);
}

TEST(ParseFilter, DeclinesFilesAndUnknownOptions) {
    EXPECT_FALSE(accepts("grep", {"foo", "file"}));
    EXPECT_FALSE(accepts("grep", {"-z", "foo"}));
    EXPECT_FALSE(accepts("grep", {"--inv", "foo"}));
    EXPECT_FALSE(accepts("sed", {"-i", "s/a/b/"}));
    EXPECT_FALSE(accepts("head", {"-n", "1k"}));
    EXPECT_FALSE(accepts("head", {"-c", "0"}));
    EXPECT_FALSE(accepts("tail", {"-n", "0"}));
    EXPECT_TRUE(accepts("tail", {"-n", "+0"}));
    EXPECT_FALSE(accepts("cut", {"-d:"}));
}

TEST(ParseFilter, ReadsPerlsPatternsOfOneMeaning) {
    for (const char* text : {"foo", "(?<=inet )\\S+", "dev \\K\\w+", "^a.*?b$", "(?:a|b)?c{2,3}"})
        EXPECT_TRUE(accepts("grep", {"-oP", text})) << text;
    for (const char* text :
         {"", "(a", "a)", "a**", "a++", "(a+)+", "(?i)a", "\\1", "(?<=a*)b", "[a", "[\\", "\\",
          "a|", "(?<=a|bc)d", "\\p{L}", "[[:alpha:]]", "a{9,1}", "\xc3\xa9", "(\\Ka)"})
        EXPECT_FALSE(accepts("grep", {"-P", text})) << text;
    EXPECT_FALSE(accepts("grep", {"-P", std::string(5000, 'a')}));
    EXPECT_FALSE(accepts("grep", {"-P", "-e", "a", "-e", "b"}));
    EXPECT_FALSE(accepts("grep", {"-wP", "a"}));
}

TEST(ParseFilter, ReadsAwk) {
    for (const char* text :
         {"{print $2; exit}", "NR>1 && $1==\"a\" || /x/ {print NF}", "{if ($1 == \"a\") print $2}",
          "{printf \"%s\\n\", $1}", "/a/{next} {print}", "$1 !~ /a/", "NR==1;{print};"})
        EXPECT_TRUE(accepts("awk", {text})) << text;
    for (const char* text :
         {"BEGIN {print}", "{print $1+1}", "{print x}", "{print > \"f\"}", "$1==1", "{getline}",
          "{if ($1 == \"a\") print; print}", "{printf $1}", "{printf \"%d\", $1}", "{print}}",
          "{system(\"x\")}", "{print $1 | \"sh\"}", "NR==1,NR==2", "{x=1}", "{print toupper($1)}",
          ";{print}", "NR==1;;{print}"})
        EXPECT_FALSE(accepts("awk", {text})) << text;
    EXPECT_TRUE(accepts("awk", {"-v", "x=a", "-F:", "$1==x {print x}"}));
    EXPECT_FALSE(accepts("awk", {"-v", "x=1", "$1==x"}));
    EXPECT_FALSE(accepts("awk", {"-v", "NF=1", "{print}"}));
    EXPECT_FALSE(accepts("awk", {"-v", "x=a\\tb", "{print x}"}));
}

TEST(ParseFilter, ReadsSed) {
    auto filter =
        parse_filter("sed", std::vector<std::string>{"-n", R"(s/.*dev \([^\ ]*\).*/\1/p)"});
    ASSERT_TRUE(filter);
    const auto& command = std::get<Sed>(*filter).commands.at(0);
    EXPECT_EQ(command.pattern.groups, 1);
    EXPECT_TRUE(command.print_after);
    EXPECT_FALSE(accepts("sed", {R"(s/a/\1/)"}));
    EXPECT_FALSE(accepts("sed", {"s/a/b/w x"}));
    EXPECT_FALSE(accepts("sed", {"s/a"}));
}

TEST(VetRegex, DeclinesWhatProgramsReadDifferently) {
    for (const char* text : {"*a", "a\\{2", "[a", "[Z-a]", "\\d", "a\\", "\\(a", "a**", "[[.a.]]",
                             "[:alpha:]", "[^:a:]", "\xc3\xa9"})
        EXPECT_FALSE(vet_regex(text, false, false, RegexUser::grep)) << text;
    for (const char* text : {"", "^0:", "Loopback[^:]*", "master [^\\s]*", "a\\{1,2\\}b$",
                             "[[:digit:]a-f]", "\\<x\\>"})
        EXPECT_TRUE(vet_regex(text, false, false, RegexUser::grep)) << text;
    EXPECT_FALSE(vet_regex("a{1}", true, false, RegexUser::awk));
}

// libc expands repetitions: these patterns would take minutes and gigabytes.
TEST(VetRegex, DeclinesWhatIsLargeWrittenOut) {
    EXPECT_TRUE(vet_regex("([0-9a-f]{2}:){5}[0-9a-f]{2}", true, false, RegexUser::grep));
    EXPECT_FALSE(vet_regex("((((l{1,50}){1,50}){1,50}){1,50})", true, false, RegexUser::grep));
    EXPECT_FALSE(vet_regex(R"(\(\(a\{50\}\)\{50\}\)*)", false, false, RegexUser::sed));
    EXPECT_FALSE(vet_regex(std::string(5000, 'a'), true, false, RegexUser::grep));
}

}  // namespace
}  // namespace nlsh
