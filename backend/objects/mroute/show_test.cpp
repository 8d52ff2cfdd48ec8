// What `ip mroute show` prints, compared with the real one's output for the same routes.
#include <arpa/inet.h>
#include <sys/socket.h>

#include "backend/traits_test.h"

namespace nlsh {
namespace {

class MrouteShowTest : public TraitsOfShows {
  protected:
    void SetUp() override { traits = iproute2_6_1(); }
};

// From 10.0.0.5 to 239.1.1.1, in by d1, out by d2, and by d3 beyond two hops.
Message route_in_table(uint32_t table) {
    rtmsg header{};
    header.rtm_family = RTNL_FAMILY_IPMR;
    header.rtm_type = RTN_MULTICAST;
    Message route(RTM_NEWROUTE, NLM_F_MULTI, header);
    route.put_u32(RTA_TABLE, table);
    route.put_u32(RTA_SRC, htonl(0x0a000005));
    route.put_u32(RTA_DST, htonl(0xef010101));
    route.put_u32(RTA_IIF, 1);
    put_nest(route, RTA_MULTIPATH, [&] {
        for (const int device : {2, 3}) {
            const rtnexthop hop{.rtnh_len = sizeof hop,
                                .rtnh_flags = 0,
                                .rtnh_hops = device == 3 ? uint8_t{3} : uint8_t{1},
                                .rtnh_ifindex = device};
            route.append(&hop, sizeof hop);
        }
    });
    const rta_mfc_stats counters{.mfcs_packets = 7, .mfcs_bytes = 700, .mfcs_wrong_if = 0};
    route.put(RTA_MFC_STATS, &counters, sizeof counters);
    route.put_u64(RTA_EXPIRES, 51);
    return route;
}

TEST_F(MrouteShowTest, AsText) {
    const auto route = route_in_table(RT_TABLE_DEFAULT);
    const std::string line =
        "(10.0.0.5,239.1.1.1)             Iif: d1         Oifs: d2 d3(ttl 3)  State: resolved";
    EXPECT_EQ(shown(Tool::ip, {"mroute"}, {route}), line + "\n");
    EXPECT_EQ(shown(Tool::ip, {"-d", "mroute", "list"}, {route}), line + "\n");
    EXPECT_EQ(shown(Tool::ip, {"-s", "mroute"}, {route}),
              line + "\n  7 packets, 700 bytes, Age 0.51\n");
    EXPECT_EQ(shown(Tool::ip, {"mroute", "show", "table", "all"}, {route}),
              line + " Table: default\n");
    EXPECT_EQ(shown(Tool::ip, {"mroute", "show", "iif", "d2"}, {route}), "");
    EXPECT_EQ(shown(Tool::ip, {"mroute", "show", "iif", "d1"}, {route}), line + "\n");
}

TEST_F(MrouteShowTest, AsJson) {
    EXPECT_EQ(shown(Tool::ip, {"-j", "-s", "mroute", "show", "table", "all"},
                    {route_in_table(RT_TABLE_DEFAULT)}),
              R"([{"src":"10.0.0.5","dst":"239.1.1.1","iif":"d1",)"
              R"("multipath":[{"oif":"d2"},{"oif":"d3","ttl":3}],"state":"resolved",)"
              R"("packets":7,"bytes":700,"expires":0.51,"table":"default"}])"
              "\n");
}

}  // namespace
}  // namespace nlsh
