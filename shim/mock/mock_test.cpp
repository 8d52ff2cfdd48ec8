#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "shim/mock/play.h"
#include "shim/mock/scenario.h"

namespace nlsh {
namespace {

using testing::HasSubstr;

Scenario scenario(const std::string& text) {
    auto read = read_scenario(text);
    EXPECT_TRUE(read) << read.error();
    return read ? std::move(*read) : Scenario{};
}

TEST(Scenario, AllKeys) {
    const Scenario read = scenario(
        "order: any\n"
        "unexpected: real\n"
        "fail: ['\"ip link add *\" with \"RTNETLINK answers: File exists\" status 2 times 3']\n"
        "commands:\n"
        "  - ip link\n"
        "  - {glob: 'ip addr *', output: \"a\\n\", error: b, status: 255, delay: 20, times: any}\n"
        "  - {regex: '^bridge (fdb|vlan)', real: true, times: 2}\n");
    EXPECT_FALSE(read.strict);
    EXPECT_TRUE(read.unexpected_real);
    ASSERT_EQ(read.failures.size(), 1u);
    EXPECT_EQ(read.failures[0].error, "RTNETLINK answers: File exists\n");
    EXPECT_EQ(read.failures[0].status, 2);
    EXPECT_EQ(read.failures[0].times, 3u);
    ASSERT_EQ(read.expected.size(), 3u);
    EXPECT_TRUE(read.expected[0].matches("ip link"));
    EXPECT_TRUE(read.expected[1].matches("ip addr add 192.0.2.1/24 dev x"));
    EXPECT_EQ(read.expected[1].output, "a\n");
    EXPECT_EQ(read.expected[1].status, 255);
    EXPECT_FALSE(read.expected[1].times);
    EXPECT_TRUE(read.expected[2].matches("bridge vlan show"));
    EXPECT_FALSE(read.expected[2].matches("bridge link"));
}

TEST(Scenario, ErrorsSayWhere) {
    EXPECT_EQ(read_scenario("commands:\n  - {lien: x}").error(), "2: 'lien' isn't known");
    EXPECT_EQ(read_scenario("commands:\n  - {status: 1}").error(), "2: no line, glob or regex");
    EXPECT_EQ(read_scenario("order: most").error(), "1: 'most': strict or any");
    EXPECT_EQ(read_scenario("commands:\n - {line: x, status: 256}").error(),
              "2: a status is 0 to 255");
    EXPECT_EQ(read_scenario("commands:\n - {regex: 'ip (link|addr)+++'}").error(),
              "2: 'ip (link|addr)+++' repeats a repetition");
    EXPECT_TRUE(read_scenario("commands:\n - {regex: 'a\\*+ [*+]+ b{1,2} .*'}"));
    EXPECT_EQ(read_scenario("order: any\ncommands: ip link").error(),
              "2: 'commands' takes a list: - …");
    EXPECT_EQ(read_scenario("fail: {a: b}").error(), "1: 'fail' takes a list: - …");
    EXPECT_EQ(read_scenario("order: any\norder: any").error(), "2: 'order' comes twice");
    EXPECT_EQ(read_scenario("commands:\n - [ip, link]").error(),
              "2: a command is a line, or a map: line: …");
    EXPECT_EQ(read_scenario("commands:\n - {line: x,\n    line: y}").error(),
              "3: 'line' comes twice");
    for (const char* text : {"", "# nothing\n", "text", "- ip link"})
        EXPECT_EQ(read_scenario(text).error(), "1: a scenario is a map: commands: …") << text;
    for (const char* text : {"commands: []", "order: any", "fail: []"})
        EXPECT_EQ(read_scenario(text).error(),
                  "1: nothing is expected: commands: and fail: are empty");
    EXPECT_FALSE(read_scenario("- 1: ["));
    EXPECT_FALSE(read_failure("\"x\" sometimes"));
}

TEST(Scenario, WhatIsWrittenIsRead) {
    const std::vector<RecordedCall> calls{{"ip link", "1: lo:\n\t\"x\" \\ é\n", "", 0},
                                          {"a\nb", std::string("\0\xff", 2), "e\n", 2}};
    const Scenario read = scenario(write_scenario(calls));
    ASSERT_EQ(read.expected.size(), 2u);
    for (size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(read.expected[i].pattern, calls[i].line);
        EXPECT_EQ(read.expected[i].output, calls[i].output);
        EXPECT_EQ(read.expected[i].error, calls[i].error);
        EXPECT_EQ(read.expected[i].status, calls[i].status);
    }
}

TEST(Play, StrictOrder) {
    Play play(scenario("commands: [a, {line: b, times: any}, c, {line: d, times: 2}]"));
    EXPECT_NE(play.next("a"), nullptr);
    EXPECT_EQ(play.next("d"), nullptr);  // c is due
    EXPECT_THAT(play.report(), HasSubstr("- b\n      + d\n"));
    EXPECT_NE(play.next("c"), nullptr);
    EXPECT_EQ(play.next("b"), nullptr);  // too late
    EXPECT_NE(play.next("d"), nullptr);
    EXPECT_THAT(play.report(), HasSubstr("MISSING     d (1 of 2 times), scenario:1"));
    EXPECT_NE(play.next("d"), nullptr);
    EXPECT_FALSE(play.satisfied());
}

TEST(Play, AnyOrderAndFailures) {
    Play play(scenario("order: any\ncommands: [a, b]\nfail: ['\"b*\" with \"no\"']"));
    EXPECT_EQ(play.next("b")->error, "no\n");
    EXPECT_EQ(play.next("b")->error, "");
    EXPECT_FALSE(play.satisfied());
    EXPECT_NE(play.next("a"), nullptr);
    EXPECT_TRUE(play.satisfied());
    EXPECT_EQ(play.json()["calls"].size(), 3u);
    EXPECT_EQ(play.next("a"), nullptr);
    EXPECT_FALSE(play.satisfied());
}

}  // namespace
}  // namespace nlsh
