// A bridge whose fdb has protocols (SONiC's patch): commands that depend on them fall back unless
// the build has been proven; others are native.
#include <gtest/gtest.h>
#include <linux/rtnetlink.h>

#include "backend/objects/bridge/words/fdb.h"
#include "parser/ip/command.h"
#include "parser/ip/test_commands.h"

namespace nlsh {
namespace {

std::string reason(const std::vector<std::string>& words, Traits::Answer answer) {
    Traits traits = iproute2_6_15();
    if (answer == Traits::Answer::unknown) traits.forget(Trait::fdb_protocol);
    if (answer == Traits::Answer::yes) traits.set(Trait::fdb_protocol, true);
    const NameTables names = NameTables::built_in(traits);
    const auto command = parse_command(Tool::bridge, words, names, {}, traits);
    return command ? std::string("native") : command.error().reason;
}

const std::vector<std::string> with_protocol[] = {
    {"fdb", "replace", "02:00:00:00:00:01", "dev", "v", "dst", "10.0.0.1", "proto", "zebra"},
    {"fdb", "add", "00:00:00:00:00:00", "dev", "lo", "protocol", "hw"},
};
const std::vector<std::string> shows[] = {
    {"fdb", "show"}, {"fdb", "get", "02:00:00:00:00:01", "dev", "v"}, {"fdb"}, {"monitor", "fdb"}};
const std::vector<std::string> others[] = {
    {"fdb", "replace", "02:00:00:00:00:01", "dev", "v", "dst", "10.0.0.1"},
    {"fdb", "delete", "02:00:00:00:00:01", "dev", "v"},
    {"vlan", "show"},
    {"monitor", "link"},
};

TEST(FdbProtocol, IsLeftToTheBuildThatHasIt) {
    for (const auto& line : with_protocol)
        EXPECT_EQ(reason(line, Traits::Answer::yes), "fdb: this iproute2 has protocols");
    for (const auto& line : shows)
        EXPECT_NE(reason(line, Traits::Answer::yes), "native");
    for (const auto& line : others)
        EXPECT_EQ(reason(line, Traits::Answer::yes), "native");
}

TEST(FdbProtocol, IsLeftToABuildThatMayHaveIt) {
    for (const auto& line : with_protocol)
        EXPECT_EQ(reason(line, Traits::Answer::unknown),
                  "whether this iproute2 has the trait fdb_protocol isn't known");
    for (const auto& line : shows)
        EXPECT_NE(reason(line, Traits::Answer::unknown), "native");
    for (const auto& line : others)
        EXPECT_EQ(reason(line, Traits::Answer::unknown), "native");
}

TEST(FdbProtocol, IsReadWhereItIsProven) {
    const AllProven proof;
    Traits traits = iproute2_6_15();
    traits.set(Trait::fdb_protocol, true);
    traits.prove_by(&proof);
    const NameTables names = NameTables::built_in(traits);
    const auto read = [&](const std::string& line) {
        return parse_command(Tool::bridge, words_of(line), names, {}, traits);
    };
    const auto change = read("fdb add 00:00:00:00:00:01 dev lo protocol zebra");
    ASSERT_TRUE(change && change->request.is<FdbChange>());
    EXPECT_EQ(change->request.get<FdbChange>().protocol, RTPROT_ZEBRA);
    const auto hardware = read("fdb add 00:00:00:00:00:01 dev lo proto hw");
    EXPECT_EQ(hardware->request.get<FdbChange>().protocol, 193);
    EXPECT_TRUE(read("fdb show"));
    for (const std::string wrong : {"nobody", "256", "-1", "zebra proto zebra"})
        EXPECT_FALSE(read("fdb add 00:00:00:00:00:01 dev lo proto " + wrong)) << wrong;
}

TEST(FdbProtocol, IsGarbageElsewhere) {
    for (const auto& line : with_protocol)
        EXPECT_EQ(reason(line, Traits::Answer::no), "native");  // the error is
    for (const auto& line : shows)
        EXPECT_EQ(reason(line, Traits::Answer::no), "native");
}

}  // namespace
}  // namespace nlsh
