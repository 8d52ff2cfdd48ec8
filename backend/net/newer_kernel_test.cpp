// Attributes and values of a newer kernel: ignored, as iproute2 does it.
#include "backend/traits_test.h"

#include <linux/fib_rules.h>
#include <linux/if_bridge.h>
#include <linux/if_link.h>
#include <linux/neighbour.h>
#include <linux/nexthop.h>
#include <sys/socket.h>

namespace nlsh {
namespace {

constexpr uint16_t unknown_attribute = 1000;  // beyond all tables

class NewerKernel : public TraitsOfShows {
  protected:
    // The same object with and without what we don't know prints the same.
    template <typename Header, typename Fill>
    void expect_ignored(Tool tool, const Line& words, uint16_t type, const Header& header,
                        Fill fill) {
        traits = iproute2_6_1();
        Message known(type, NLM_F_MULTI, header);
        fill(known);
        Message newer(type, NLM_F_MULTI, header);
        newer.put_u32(unknown_attribute, 7);
        fill(newer);
        put_nest(newer, NLA_F_NESTED | (unknown_attribute + 1),
                 [&] { newer.put_string(1, "of a newer kernel"); });
        newer.put_flag(unknown_attribute + 2);
        const std::string text = shown(tool, words, {known});
        EXPECT_EQ(status, 0) << words[0];
        EXPECT_NE(text, "") << words[0];
        EXPECT_NE(text, fallback) << words[0];
        EXPECT_EQ(shown(tool, words, {newer}), text) << words[0];
        EXPECT_EQ(status, 0) << words[0];
    }
};

TEST_F(NewerKernel, UnknownAttributesOfALink) {
    ifinfomsg header{};
    header.ifi_index = 7;
    header.ifi_type = 1;
    for (const Line& words :
         {Line{"link", "show"}, Line{"-d", "link", "show"}, Line{"-j", "link", "show"}}) {
        expect_ignored(Tool::ip, words, RTM_NEWLINK, header, [](Message& message) {
            message.put_string(IFLA_IFNAME, "d7");
            message.put_u32(IFLA_MTU, 1500);
        });
    }
}

TEST_F(NewerKernel, UnknownAttributesOfARoute) {
    rtmsg header{};
    header.rtm_family = AF_INET;
    header.rtm_dst_len = 24;
    header.rtm_table = RT_TABLE_MAIN;
    header.rtm_type = RTN_UNICAST;
    expect_ignored(Tool::ip, {"route", "show"}, RTM_NEWROUTE, header, [](Message& message) {
        message.put_u32(RTA_DST, 0x0002000a);
        message.put_u32(RTA_TABLE, RT_TABLE_MAIN);
    });
}

TEST_F(NewerKernel, UnknownAttributesOfANeighbor) {
    ndmsg header{};
    header.ndm_family = AF_INET;
    header.ndm_state = NUD_PERMANENT;
    expect_ignored(Tool::ip, {"neigh", "show"}, RTM_NEWNEIGH, header,
                   [](Message& message) { message.put_u32(NDA_DST, 0x0200000a); });
}

TEST_F(NewerKernel, UnknownAttributesOfARule) {
    fib_rule_hdr header{};
    header.family = AF_INET;
    header.action = FR_ACT_TO_TBL;
    expect_ignored(Tool::ip, {"rule", "show"}, RTM_NEWRULE, header, [](Message& message) {
        message.put_u32(FRA_PRIORITY, 5);
        message.put_u32(FRA_TABLE, RT_TABLE_MAIN);
    });
}

TEST_F(NewerKernel, UnknownAttributesOfANexthop) {
    nhmsg header{};
    header.nh_family = AF_INET;
    expect_ignored(Tool::ip, {"nexthop", "show"}, RTM_NEWNEXTHOP, header, [](Message& message) {
        message.put_u32(NHA_ID, 5);
        message.put_flag(NHA_BLACKHOLE);
    });
}

TEST_F(NewerKernel, UnknownAttributesOfAnFdbEntry) {
    ndmsg header{};
    header.ndm_family = AF_BRIDGE;
    header.ndm_state = NUD_PERMANENT;
    expect_ignored(Tool::bridge, {"fdb", "show"}, RTM_NEWNEIGH, header,
                   [](Message& message) { message.put(NDA_LLADDR, "\2\0\0\0\0\1", 6); });
}

}  // namespace
}  // namespace nlsh
