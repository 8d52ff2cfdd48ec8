#include "backend/objects/nexthop/words/nexthop.h"

#include <gtest/gtest.h>
#include <linux/nexthop.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include "parser/ip/test_commands.h"

namespace nlsh {

TEST(Nexthop, APathIsOfItsGatewaysFamily) {
    const auto path =
        parsed<NexthopChange>("nexthop add id 0x10 via fe80::1 dev v0 onlink proto 4");
    EXPECT_EQ(path.id, 16U);
    EXPECT_EQ(path.family, AF_INET6);
    EXPECT_EQ(path.device, "v0");
    EXPECT_EQ(path.flags, RTNH_F_ONLINK);
    EXPECT_EQ(path.protocol, RTPROT_STATIC);
    EXPECT_EQ(parsed<NexthopChange>("nexthop add id 1 dev v0").family, AF_INET);
    EXPECT_EQ(parsed<NexthopChange>("-6 nexthop replace id 1 blackhole").family, AF_INET6);
}

TEST(Nexthop, AGroupHasNoFamily) {
    const auto group = parsed<NexthopChange>(
        "nexthop add id 3 group 1,256/2 type resilient buckets 8 idle_timer 10 fdb");
    EXPECT_EQ(group.family, AF_UNSPEC);
    EXPECT_EQ(group.group, (std::vector<NexthopMember>{{1, 255}, {2, 0}}));
    EXPECT_EQ(group.group_type, NEXTHOP_GRP_TYPE_RES);
    EXPECT_EQ(*group.resilient.find(NHA_RES_GROUP_BUCKETS), bytes_of(uint16_t{8}));
    EXPECT_EQ(*group.resilient.find(NHA_RES_GROUP_IDLE_TIMER), bytes_of(uint32_t{1000}));
    EXPECT_TRUE(group.fields.find(NHA_FDB));
}

TEST(Nexthop, WhatFollowsAnIdIsntLookedAt) {
    const auto show = parsed<NexthopShow>("nexthop show id 1 protocol nosuch dev v0");
    EXPECT_EQ(show.filter.id, 1U);
    EXPECT_TRUE(show.filter.device.empty());
    EXPECT_EQ(parsed<NexthopBucketShow>("nexthop bucket show id 1 dev v0").filter.device, "v0");
}

TEST(Nexthop, NeitherAPathNorAGroupIsTheKernelsToRefuse) {
    EXPECT_EQ(parsed<NexthopChange>("nexthop add id 1").family, AF_UNSPEC);
}

TEST(Nexthop, WhatIsDeclined) {
    for (const char* line :
         {"nexthop add id 1 group 1/", "nexthop add id 1 group 1,0",
          "nexthop add id 1 group 1 dev v0", "nexthop add id 1 dev v0 id 2", "nexthop get id 0",
          "nexthop add id 1 via default dev v0", "nexthop del id 1 dev v0", "nexthop help",
          "nexthop show proto static", "nexthop show dev v0 id 1", "nexthop bucket get id 1"}) {
        EXPECT_FALSE(requested(line)) << line;
    }
}

}  // namespace nlsh
