#include "backend/objects/netns/words/netns.h"
#include "backend/objects/stats/words/stats.h"
#include "parser/ip/refusal.h"

#include <gtest/gtest.h>

#include "parser/ip/test_commands.h"

namespace nlsh {
namespace {

Parsed<Command> parse(const std::string& line) {
    return parse_line(Tool::ip, line);
}

bool is_refused(const char* line) {
    const auto command = parse(line);
    return command && command->request.is<RefusedCommand>();
}

TEST(Netns, WhatMountsOrNamesProcessesIsForTheCallersOwnProcess) {
    for (const char* line :
         {"netns add blue", "netns attach blue 7", "netns del blue", "netns identify 7",
          "netns pids blue", "link set dev a netns 1", "link set dev a netns /proc/1/ns/net"}) {
        const auto command = parse(line);
        ASSERT_TRUE(command) << line;
        EXPECT_TRUE(command->is.in_process) << line;
    }
    for (const char* line : {"netns", "netns list", "netns list-id nsid 3", "netns set blue auto",
                             "netns identify", "link set dev a netns blue"}) {
        const auto command = parse(line);
        ASSERT_TRUE(command) << line;
        EXPECT_FALSE(command->is.in_process) << line;
    }
}

TEST(Netns, FilesAreLeftToABuildWhoseFolderIsUnknown) {
    Traits traits = iproute2_6_15();
    traits.forget(Trait::netns_below_var_run);
    const NameTables names = NameTables::built_in(traits);
    const auto parsed = [&](const std::vector<std::string>& words) {
        return parse_command(Tool::ip, words, names, {}, traits).has_value();
    };
    EXPECT_FALSE(parsed({"netns", "add", "blue"}));
    EXPECT_FALSE(parsed({"netns", "attach", "blue", "7"}));
    EXPECT_FALSE(parsed({"netns", "del", "blue"}));
    EXPECT_TRUE(parsed({"netns", "list"}));
}

TEST(Netns, WhatIproute2WritesLateIsLeftInABatch) {
    const NameTables names = NameTables::built_in();
    for (const std::string object : {"netns", "addrlabel", "maddress", "vrf", "stats"}) {
        const std::vector<std::string> words{object};
        EXPECT_FALSE(parse_batch_line({}, words, names)) << object;
    }
    for (const std::string object : {"token", "netconf"}) {
        const std::vector<std::string> words{object};
        EXPECT_TRUE(parse_batch_line({}, words, names)) << object;
    }
}

TEST(Netns, LeavesTheRest) {
    for (const char* line :
         {"netns exec blue true", "netns monitor", "netns ex blue true", "netns add a b",
          "netns set blue -1", "netns list-id foo", "-all netns del", "-all netns del blue",
          "-j netns pids blue", "-n blue netns add red", "-n blue netns attach red 7",
          "-n blue netns del red", "link set dev a netns 1x", "link set dev a netns -1"}) {
        EXPECT_FALSE(parse(line)) << line;
    }
}

TEST(Netns, RefusesInOneLine) {
    for (const char* line :
         {"netns add", "netns add a/b", "netns add ..", "netns set blue", "netns set blue x",
          "netns identify x", "netns attach blue", "netns list-id nsid 1 nsid 2"}) {
        EXPECT_TRUE(is_refused(line)) << line;
    }
}

TEST(Stats, GroupsNarrow) {
    const auto suites = [](const char* line) {
        const auto command = parse(line);
        const auto* show = command ? command->request.get_if<StatsShow>() : nullptr;
        return show != nullptr ? show->suites : 0;
    };
    const auto bit = [](StatsSuite suite) {
        return StatsSuites{1} << static_cast<unsigned>(suite);
    };
    const StatsSuites newer = bit(StatsSuite::slave_vlan) | bit(StatsSuite::vlan);  // than 6.1
    EXPECT_EQ(suites("stats"), ((StatsSuites{1} << std::size(stats_names)) - 1) & ~newer);
    EXPECT_EQ(suites("stats show group link"), bit(StatsSuite::link));
    EXPECT_EQ(suites("stats show group xstats"),
              bit(StatsSuite::lacp) | bit(StatsSuite::multicast) | bit(StatsSuite::stp));
    EXPECT_EQ(suites("stats show group xstats subgroup bridge suite stp"), bit(StatsSuite::stp));
    EXPECT_EQ(suites("stats show group offload subgroup l3_stats subgroup cpu_hit group link"),
              bit(StatsSuite::l3) | bit(StatsSuite::cpu_hit) | bit(StatsSuite::link));
    EXPECT_EQ(suites("stats show group xstats subgroup bridge suite stp subgroup bond"),
              bit(StatsSuite::stp) | bit(StatsSuite::lacp));
    EXPECT_EQ(suites("stats show group link subgroup x"), 0U);
    EXPECT_EQ(suites("stats show suite stp"), 0U);
    EXPECT_EQ(suites("stats show group xstats suite stp"), 0U);
}

TEST(SmallObjects, LeaveWhatIproute2RefusesOrSkips) {
    for (const char* line :
         {"addrlabel add prefix any label 3", "addrlabel add dev a label x", "token set any dev a",
          "token list h", "-s ntable", "ntable show dev none", "ntable change dev none queue 1",
          "maddr add dev a help", "vrf show a b", "vrf exec a true", "-6 vrf",
          "link xstats type bond", "link xstats type bridge stp igmp", "stats show foo",
          "stats help"}) {
        EXPECT_FALSE(parse(line)) << line;
    }
}

TEST(SmallObjects, RefuseInOneLine) {
    for (const char* line :
         {"addrlabel add prefix ::/0", "addrlabel list x",
          "addrlabel add prefix 2001::/16 label 4294967295", "token set ::1",
          "ntable change name arp_cache", "maddr add 02:00:00:00:05 dev a",
          "maddr add 02:00:00:00:00:05", "maddr show a b", "stats set dev a", "stats s"}) {
        EXPECT_TRUE(is_refused(line)) << line;
    }
}

}  // namespace
}  // namespace nlsh
