// Shows that iproute2 5.10.0 and 6.1.0 print differently, by trait. A line falls back if nlsh
// doesn't know whether the build has the trait.
#include <arpa/inet.h>
#include <linux/if_link.h>
#include <linux/mpls.h>
#include <linux/neighbour.h>
#include <linux/nexthop.h>
#include <sys/socket.h>

#include "backend/traits_test.h"

namespace nlsh {
namespace {

using OlderTraits = TraitsOfShows;

Message neighbor_with(uint8_t flags, uint16_t state) {
    ndmsg header{};
    header.ndm_family = AF_INET;
    header.ndm_ifindex = 1;
    header.ndm_flags = flags;
    header.ndm_state = state;
    Message neighbor(RTM_NEWNEIGH, NLM_F_MULTI, header);
    neighbor.put_u32(NDA_DST, htonl(0x0a000009));
    const uint8_t address[] = {2, 0, 0, 0, 0, 1};
    if (state != NUD_NONE) neighbor.put(NDA_LLADDR, address, sizeof address);
    return neighbor;
}

TEST_F(OlderTraits, BlanksOfNeighbors) {
    const auto show = [&](uint8_t flags, uint16_t state, const Line& words = {"neigh", "show"}) {
        return [=, this] { return shown(Tool::ip, words, {neighbor_with(flags, state)}); };
    };
    const Trait trait = Trait::blanks_after_neighbor_words;
    const std::string start = "10.0.0.9 dev d1 lladdr 02:00:00:00:00:01 ";
    expect(trait, show(0, NUD_PERMANENT), start + "PERMANENT\n", start + "PERMANENT \n");
    expect(trait, show(NTF_ROUTER | NTF_EXT_LEARNED, NUD_STALE),
           start + "router extern_learn  STALE\n", start + "router extern_learn STALE \n");
    expect(trait, show(NTF_PROXY, NUD_NONE, {"neigh", "show", "proxy"}), "10.0.0.9 dev d1  proxy\n",
           "10.0.0.9 dev d1 proxy \n");
}

TEST_F(OlderTraits, BriefNeighbors) {
    const auto show = [&] {
        return shown(Tool::ip, {"-br", "neigh", "show"}, {neighbor_with(0, NUD_STALE)});
    };
    expect(Trait::brief_neighbors, show, "10.0.0.9 dev d1 lladdr 02:00:00:00:00:01 STALE \n",
           "10.0.0.9                                d1               02:00:00:00:00:01\n");
}

TEST_F(OlderTraits, FlagsOfNexthopsWithoutADevice) {
    Message nexthop(RTM_NEWNEXTHOP, NLM_F_MULTI, nhmsg{});
    nexthop.put_u32(NHA_ID, 5);
    nexthop.put_flag(NHA_BLACKHOLE);
    const auto show = [&] { return shown(Tool::ip, {"-j", "nexthop", "show"}, {nexthop}); };
    expect(Trait::nexthop_flags_always, show, "[{\"id\":5,\"blackhole\":null}]\n",
           "[{\"id\":5,\"blackhole\":null,\"flags\":[]}]\n");
}

Message link_counting(const rtnl_link_stats64& counters) {
    return link_with([&](Message& link) { link.put(IFLA_STATS64, &counters, sizeof counters); });
}

// The lines with counters in a show.
std::string counters_in(const std::string& text) {
    const size_t start = text.find("    RX");
    return start == text.npos ? text : text.substr(start);
}

TEST_F(OlderTraits, ColumnsOfCounters) {
    rtnl_link_stats64 counters{};
    counters.rx_bytes = 90;
    counters.rx_packets = 1;
    const auto show = [&] {
        return counters_in(shown(Tool::ip, {"-s", "link", "show"}, {link_counting(counters)}));
    };
    expect(Trait::counters_in_columns, show,
           "    RX: bytes  packets  errors  dropped missed  mcast   \n"
           "    90         1        0       0       0       0       \n"
           "    TX: bytes  packets  errors  dropped carrier collsns \n"
           "    0          0        0       0       0       0       \n",
           "    RX:  bytes packets errors dropped  missed   mcast           \n"
           "            90       1      0       0       0       0 \n"
           "    TX:  bytes packets errors dropped carrier collsns           \n"
           "             0       0      0       0       0       0 \n");
}

// Only 5.15 prints blanks for a column that isn't shown.
TEST_F(OlderTraits, BlanksAfterReceiveErrors) {
    rtnl_link_stats64 counters{};
    traits = iproute2_6_1();
    traits.set(Trait::tight_receive_errors, false);
    const auto show = [&] {
        return shown(Tool::ip, {"-s", "-s", "link", "show"}, {link_counting(counters)});
    };
    EXPECT_TRUE(show().contains("overrun           \n"));
    traits.set(Trait::tight_receive_errors, true);
    EXPECT_TRUE(show().contains("overrun\n"));
    EXPECT_EQ(counters_in(show()).find("overrun "), std::string::npos);
}

TEST_F(OlderTraits, ColumnsOfErrors) {
    rtnl_link_stats64 counters{};
    counters.rx_bytes = 12345678901;
    counters.rx_packets = 7;
    traits = iproute2_5_10();
    const auto show = [&] {
        return counters_in(
            shown(Tool::ip, {"-s", "-s", "link", "show"}, {link_counting(counters)}));
    };
    EXPECT_EQ(show(),
              "    RX: bytes  packets  errors  dropped missed  mcast   \n"
              "    12345678901 7        0       0       0       0       \n"
              "    RX errors: length   crc     frame   fifo    overrun\n"
              "               0        0       0       0       0       \n"
              "    TX: bytes  packets  errors  dropped carrier collsns \n"
              "    0          0        0       0       0       0       \n"
              "    TX errors: aborted  fifo   window heartbeat\n"
              "               0        0       0       0       \n");
    counters.rx_nohandler = 1;
    EXPECT_EQ(show(), fallback);
}

TEST_F(OlderTraits, CountersOfFamilies) {
    if_stats_msg header{};
    header.ifindex = 1;
    Message statistics(RTM_NEWSTATS, NLM_F_MULTI, header);
    put_nest(statistics, IFLA_STATS_AF_SPEC, [&] {
        put_nest(statistics, AF_MPLS, [&] {
            const mpls_link_stats counters{};
            statistics.put(MPLS_STATS_LINK, &counters, sizeof counters);
        });
    });
    const auto show = [&] { return shown(Tool::ip, {"link", "afstats"}, {statistics}); };
    expect(Trait::counters_in_columns, show, fallback,
           "1:d1\n    mpls:\n        RX: bytes packets errors dropped noroute\n"
           "                0       0      0       0       0 \n"
           "        TX: bytes packets errors dropped\n                0       0      0       0 \n");
    const Message none(RTM_NEWSTATS, NLM_F_MULTI, header);
    traits = iproute2_5_10();
    EXPECT_EQ(shown(Tool::ip, {"link", "afstats"}, {none}), "");
}

}  // namespace
}  // namespace nlsh
