#include "backend/objects/address/words/address.h"
#include "backend/objects/neighbor/words/neighbor.h"
#include "backend/objects/rule/words/rule.h"

#include <gtest/gtest.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include "parser/ip/test_commands.h"

namespace nlsh {
namespace {

AddressChange change(const std::string& line) {
    const auto command = requested(line);
    EXPECT_TRUE(command) << line;
    return command ? command->request.get<AddressChange>() : AddressChange{};
}

TEST(AddressChange, ResolvesTheBroadcastAddress) {
    const auto ones = change("address add 10.0.3.1/22 broadcast + dev v0");
    ASSERT_TRUE(ones.broadcast);
    EXPECT_EQ(ones.broadcast->bytes[2], 3);
    EXPECT_EQ(ones.broadcast->bytes[3], 255);
    const auto zeros = change("addr add 10.0.3.1/22 brd - dev v0");
    ASSERT_TRUE(zeros.broadcast);
    EXPECT_EQ(zeros.broadcast->bytes[2], 0);
    EXPECT_FALSE(change("addr add 10.0.0.1/31 brd + dev v0").broadcast);
    EXPECT_FALSE(change("addr del 10.0.0.1/24 brd + dev v0").broadcast);
}

TEST(AddressChange, LeavesTheWarningThatRepeatsTheWord) {
    EXPECT_TRUE(change("addr del 10.0.0.1 dev v0").wildcard);
    for (const char* word : {"10.24", "0x0a.0.0.3", "010.0.0.1"}) {
        EXPECT_FALSE(requested(std::string("addr del ") + word + " dev v0")) << word;
        EXPECT_TRUE(requested(std::string("addr del ") + word + "/32 dev v0")) << word;
    }
}

TEST(AddressChange, TakesThePeersPrefixLength) {
    const auto request = change("addr add 10.0.0.1 peer 10.0.0.2/30 dev v0");
    EXPECT_EQ(request.bits, 30);
    EXPECT_EQ(request.address.bytes[3], 2);
    EXPECT_EQ(change("addr add 10.0.0.1/24 peer 10.0.0.2 dev v0").bits, 32);
}

TEST(AddressChange, LoopbackAddressesAreOfTheHost) {
    EXPECT_EQ(change("addr add 127.0.0.2/8 dev lo").scope, RT_SCOPE_HOST);
    EXPECT_EQ(change("addr add 10.0.0.2/8 dev lo").scope, RT_SCOPE_UNIVERSE);
    EXPECT_EQ(change("addr add 127.0.0.2/8 dev lo scope link").scope, RT_SCOPE_LINK);
}

TEST(AddressChange, DeclinesWhatIproute2WarnsOfOrRefuses) {
    for (const char* line :
         {"addr del 10.0.0.1 brd + dev v0", "addr add 10.0.0.1/24", "addr add dev v0",
          "addr add 10.0.0.1/24 dev v0 nodad", "addr add 10.0.0.1/24 dev v0 autojoin",
          "addr add 10.0.0.1/24 dev v0 valid_lft 5", "addr add fc00::1/64 brd + dev v0",
          "-6 addr add 10.0.0.1/24 dev v0", "addr add any dev v0", "addr bogus"}) {
        EXPECT_FALSE(requested(line)) << line;
    }
}

TEST(AddressShow, ReadsFiltersInAnyOrder) {
    const auto command = requested("-4 addr show up v0 -dynamic scope global");
    ASSERT_TRUE(command);
    const auto& filter = command->request.get<AddressShow>().filter;
    EXPECT_EQ(filter.family, AF_INET);
    EXPECT_EQ(filter.links.device, "v0");
    EXPECT_TRUE(filter.links.up);
    EXPECT_NE(filter.flags & filter.flag_mask, 0U);
    EXPECT_EQ(filter.scope, RT_SCOPE_UNIVERSE);
}

TEST(NeighborChange, ReadsStatesAndFlags) {
    const auto command = requested("neigh add 10.0.0.1 lladdr 2:0:0:0:0:1 dev v0 nud reach router");
    ASSERT_TRUE(command);
    const auto& request = command->request.get<NeighborChange>();
    EXPECT_EQ(request.link_address->size, 6);
    EXPECT_EQ(request.state, 2);
    // Some states have short forms.
    const auto short_form = requested("neigh add 10.0.0.1 lladdr 2:0:0:0:0:1 dev v0 nud p");
    ASSERT_TRUE(short_form);
    EXPECT_EQ(short_form->request.get<NeighborChange>().state, 0x80);
    for (const char* line :
         {"neigh add 10.0.0.1 dev v0 nud stal", "neigh add 10.0.0.1 dev v0 nud n",
          "neigh add 10.0.0.1", "neigh add any dev v0", "neigh add 10.0.0.1/8 dev v0"}) {
        EXPECT_FALSE(requested(line)) << line;
    }
}

TEST(RuleChange, ReadsSelectors) {
    const auto command = requested("rule add not from 10.0.0.0/8 fwmark 5/0xff sport 5-9 pref 7");
    ASSERT_TRUE(command);
    const auto& request = command->request.get<RuleChange>();
    EXPECT_TRUE(request.selectors.invert);
    EXPECT_EQ(request.selectors.mark->mask, 0xffU);
    EXPECT_EQ(request.selectors.source_ports, (Range<uint16_t>{5, 9}));
    EXPECT_EQ(request.selectors.table, RT_TABLE_MAIN);
    EXPECT_FALSE(requested("rule add l3mdev table 5"));
    EXPECT_FALSE(requested("-4 rule add from fc00::1 table 5"));
    // Only the kernel refuses it.
    const auto other = requested("rule add from fc00::1 table 5");
    ASSERT_TRUE(other);
    EXPECT_EQ(other->request.get<RuleChange>().selectors.family, AF_INET);
}

}  // namespace
}  // namespace nlsh
