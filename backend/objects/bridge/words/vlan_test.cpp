#include "backend/objects/bridge/words/vlan.h"
#include "backend/objects/bridge/words/fdb.h"
#include "backend/objects/bridge/words/link.h"

#include <gtest/gtest.h>
#include <linux/if_bridge.h>
#include <linux/if_link.h>

#include <vector>

#include "parser/ip/test_commands.h"

namespace nlsh {
namespace {

Parsed<Command> parse(const std::string& line) {
    return requests_only(parse_line(Tool::bridge, line));
}

TEST(BridgeVlan, AddTakesRangesAndFlagsInAnyOrder) {
    const auto command = parse("vlan add vid 10-20 dev Bridge self untagged");
    ASSERT_TRUE(command);
    const auto& change = command->request.get<VlanChange>();
    EXPECT_EQ(change.verb, ChangeVerb::add);
    EXPECT_EQ(change.device, "Bridge");
    EXPECT_EQ(change.vid, (IdRange{10, 20}));
    EXPECT_EQ(change.bridge_flags, BRIDGE_FLAGS_SELF);
    EXPECT_EQ(change.vlan_flags, BRIDGE_VLAN_INFO_UNTAGGED);
}

TEST(BridgeVlan, UsageErrorsAreDeclined) {
    for (const char* line :
         {"vlan add dev v0", "vlan add vid 1", "vlan add dev v0 vid 4096", "vlan add dev v0 vid +1",
          "vlan add dev v0 vid 5-5", "vlan add dev v0 vid 5-", "vlan add dev v0 vid 1-2 pvid",
          "vlan add dev v0 vid 1 help", "vlan add dev v0 vid 1-2 vid 3", "vlan bogus",
          "vlan set dev v0 vid 1 state FORWARDING", "vlan global s", "monitor help"}) {
        EXPECT_FALSE(parse(line)) << line;
    }
}

TEST(BridgeVlan, AVidIsReadAsAtoiDoes) {
    const auto vid = [](const std::string& words) {
        return parse("vlan add dev v0 " + words)->request.get<VlanChange>().vid;
    };
    EXPECT_EQ(vid("vid x"), (IdRange{0}));
    EXPECT_EQ(vid("vid 0x10"), (IdRange{0}));
    EXPECT_EQ(vid("vid 10x"), (IdRange{10}));
    EXPECT_EQ(vid("vid -1"), (IdRange{0, 1}));
    EXPECT_EQ(vid("vid 10-20-30"), (IdRange{10, 20}));
    EXPECT_EQ(vid("vid 33 vid 34"), (IdRange{34}));
}

TEST(BridgeVlan, SetKeepsTheOrderOfOptions) {
    const auto command = parse("vlan set dev v0 vid 7 mcast_router 2 state blocking");
    ASSERT_TRUE(command);
    const auto& set = command->request.get<VlanSet>();
    ASSERT_EQ(set.options.size(), 2U);
    EXPECT_EQ(set.options[1], (VlanSet::Option{BRIDGE_VLANDB_ENTRY_STATE, 1, BR_STATE_BLOCKING}));
}

TEST(BridgeFdb, StatesAndFlagsHaveDefaults) {
    const auto add = [](const std::string& words) {
        return parse("fdb add 00:11:22:33:44:55 dev v0 " + words)->request.get<FdbChange>();
    };
    EXPECT_EQ(add("").state, 0xc0);  // NUD_NOARP | NUD_PERMANENT
    EXPECT_EQ(add("").flags, 0x02);  // NTF_SELF
    EXPECT_EQ(add("master static").state, 0x42);
    EXPECT_EQ(add("master static").flags, 0x04);
    EXPECT_EQ(add("master dynamic extern_learn vlan 10").state, 0x02);
    EXPECT_EQ(add("master dynamic extern_learn vlan 10").vlan, 10U);
}

TEST(BridgeFdb, UnknownWordsAndBadAddressesAreDeclined) {
    for (const char* line :
         {"fdb add 00:11:22:33:44 dev v0", "fdb add 00:11:22:33:44:-5 dev v0",
          "fdb add 00:11:22:33:44:55", "fdb add 00:11:22:33:44:55 dev v0 nhid 1 dst 1.2.3.4",
          "fdb show h", "fdb help", "fdb flush dev v0 help", "fdb flush vlan 5",
          "fdb flush dev v0 vlan 4096"}) {
        EXPECT_FALSE(parse(line)) << line;
    }
}

TEST(BridgeFdb, AShowIgnoresOtherWords) {
    EXPECT_TRUE(parse("fdb show bogus"));
    EXPECT_TRUE(parse("fdb show v0"));
}

TEST(BridgeFdb, AWordBehindTheAddressIsGarbageAndNative) {
    const auto garbage_of = [](const std::string& line) {
        const auto refused = parse(line);
        return refused ? "" : refused.error().reason;
    };
    EXPECT_EQ(garbage_of("fdb add 00:00:00:00:00:00 dev lo proto hw"),
              "Error: either \"to\" is duplicate, or \"proto\" is a garbage.\n");
    // iproute2 reports the wrong address only later.
    EXPECT_EQ(garbage_of("fdb add proto hw 00:00:00:00:00:00 dev lo"),
              "Error: either \"to\" is duplicate, or \"hw\" is a garbage.\n");
    EXPECT_FALSE(parse("fdb add 00:00:00:00:00:00 dev lo help"));
}

}  // namespace
}  // namespace nlsh
