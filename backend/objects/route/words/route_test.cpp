#include "backend/objects/route/words/route.h"

#include <gtest/gtest.h>
#include <linux/lwtunnel.h>
#include <sys/socket.h>

#include <string>
#include <vector>

#include "parser/ip/test_commands.h"

namespace nlsh {

TEST(RouteChange, ScopeAndTableFollowFromTheType) {
    EXPECT_EQ(parsed<RouteChange>("route add 10.0.0.0/8 dev v0").scope, RT_SCOPE_LINK);
    EXPECT_EQ(parsed<RouteChange>("route add 10.0.0.0/8 via 1.1.1.1").scope, RT_SCOPE_UNIVERSE);
    EXPECT_EQ(parsed<RouteChange>("route add 10.0.0.0/8 nhid 3").scope, RT_SCOPE_UNIVERSE);
    EXPECT_EQ(parsed<RouteChange>("route del 10.0.0.0/8").scope, RT_SCOPE_NOWHERE);
    EXPECT_EQ(parsed<RouteChange>("-6 route del fd00::/64").scope, RT_SCOPE_UNIVERSE);
    EXPECT_EQ(parsed<RouteChange>("route add blackhole 10.0.0.0/8").scope, RT_SCOPE_UNIVERSE);
    const auto local = parsed<RouteChange>("route add local 10.0.0.0/8 dev v0");
    EXPECT_EQ(local.scope, RT_SCOPE_HOST);
    EXPECT_EQ(local.table, RT_TABLE_LOCAL);
}

TEST(RouteChange, DeletingNamesNoTypeAndNoProtocol) {
    const auto route = parsed<RouteChange>("route del default via 10.0.0.1");
    EXPECT_EQ(route.type, RTN_UNSPEC);
    EXPECT_EQ(route.protocol, RTPROT_UNSPEC);
    EXPECT_EQ(route.family, AF_INET);
}

TEST(RouteChange, TheFirstAddressGivesTheFamily) {
    EXPECT_EQ(parsed<RouteChange>("route add default via fd00::1").family, AF_INET6);
    const auto route = parsed<RouteChange>("route add 10.0.0.0/8 via inet6 fd00::1");
    EXPECT_EQ(route.family, AF_INET);
    EXPECT_EQ(route.via->family, AF_INET6);
    EXPECT_FALSE(requested("route add 10.0.0.0/8 via fd00::1"));
    EXPECT_FALSE(requested("-4 route add fd00::/64 dev v0"));
}

TEST(RouteChange, MetricsInTheKernelsUnits) {
    const auto metrics =
        parsed<RouteChange>(
            "route add 10.0.0.0/8 dev v0 mtu lock 1400 rtt 10ms rttvar 1s rto_min 7 "
            "features ecn congctl cubic i 5")
            .metrics;
    EXPECT_EQ(metrics.values[RTAX_MTU], 1400U);
    EXPECT_EQ(metrics.values[RTAX_RTT], 80U);
    EXPECT_EQ(metrics.values[RTAX_RTTVAR], 4000U);
    EXPECT_EQ(metrics.values[RTAX_RTO_MIN], 7U);
    EXPECT_EQ(metrics.values[RTAX_FEATURES], uint32_t{RTAX_FEATURE_ECN});
    EXPECT_EQ(metrics.values[RTAX_INITCWND], 5U);
    EXPECT_EQ(metrics.congestion, "cubic");
    EXPECT_EQ(metrics.locked, 1U << RTAX_MTU | 1U << RTAX_RTO_MIN);
}

TEST(RouteChange, NexthopsComeLast) {
    const auto route = parsed<RouteChange>(
        "route add 10.0.0.0/8 nexthop via 10.0.0.1 weight 3 nexthop dev v1 onlink");
    ASSERT_EQ(route.nexthops.size(), 2U);
    EXPECT_EQ(route.nexthops[0].weight_minus_1, 2);
    EXPECT_EQ(route.nexthops[1].device, "v1");
    EXPECT_EQ(route.nexthops[1].flags, RTNH_F_ONLINK);
    EXPECT_FALSE(requested("route add 10.0.0.0/8 nexthop"));
    EXPECT_FALSE(requested("route add 10.0.0.0/8 nexthop via 10.0.0.1 nexthop"));
    EXPECT_FALSE(requested("route add 10.0.0.0/8 nexthop via 10.0.0.1 metric 5"));
    EXPECT_FALSE(requested("route add 10.0.0.0/8 nexthop via 10.0.0.1 weight 257"));
}

TEST(RouteChange, AbbreviationsInTheOrderOfIproute2) {
    const auto route = parsed<RouteChange>("r a u 10.0.0.0/8 m 7 t 100 pro static");
    EXPECT_EQ(route.type, RTN_UNREACHABLE);
    EXPECT_EQ(*route.attributes.find(RTA_PRIORITY), std::string("\x07\0\0\0", 4));
    EXPECT_EQ(route.table, 100U);
    EXPECT_EQ(route.protocol, RTPROT_STATIC);
}

TEST(RouteChange, WhatIsDeclined) {
    for (const char* line :
         {"route add", "route add dev v0", "route add 10.0.0.0/8 10.0.0.0/9", "route flush",
          "-6 route flush cache", "route flush cache dev v0",
          "route add 10.0.0.0/8 encap bpf in x dev v0",
          "route add 10.0.0.0/8 encap ip id 1 geneve_opts 1:2:03 dev v0",
          "-M route get 100 from 200", "route add 10.0.0.0/8 metric",
          "route add 10.0.0.0/8 table nosuch", "route add 10.0.0.0/8 rto_min 1.5s",
          "route add 10.0.0.0/8 hoplimit 256", "-0 route add default dev v0", "route help"}) {
        EXPECT_FALSE(requested(line)) << line;
    }
}

const std::string& bytes_of_attribute(const RouteEncap& encap, size_t place) {
    static const std::string none;
    if (place >= encap.attributes.size()) return none;
    const auto* bytes = std::get_if<std::string>(&encap.attributes[place].value);
    return bytes == nullptr ? none : *bytes;
}

TEST(RouteChange, AnEncapEndsAtTheFirstWordOfAnother) {
    const auto route =
        parsed<RouteChange>("route add 10.0.0.0/8 encap ip id 5 dst 1.2.3.4 hoplimit 7 dev v0");
    EXPECT_EQ(route.encap.type, LWTUNNEL_ENCAP_IP);
    EXPECT_EQ(bytes_of_attribute(route.encap, 0), std::string("\0\0\0\0\0\0\0\5", 8));
    EXPECT_EQ(bytes_of_attribute(route.encap, 1), "\1\2\3\4");
    EXPECT_EQ(route.metrics.values[RTAX_HOPLIMIT], 7U);
    EXPECT_EQ(route.device, "v0");
}

TEST(RouteChange, LabelsAreAStack) {
    const auto route = parsed<RouteChange>("-M route add 100 as 200/300 via inet 10.0.0.1");
    EXPECT_EQ(route.family, AF_MPLS);
    EXPECT_EQ(route.destination.bits, 20);
    EXPECT_EQ(route.labels, std::string("\0\x0c\x80\0\0\x12\xc1\0", 8));
    EXPECT_EQ(route.via->family, AF_INET);
    EXPECT_EQ(route.scope, RT_SCOPE_UNIVERSE);
    EXPECT_EQ(parsed<RouteChange>("-M route del 100").type, RTN_UNICAST);
}

TEST(RouteChange, OneSegmentMoreForThePacketsOwnDestination) {
    const auto header = [](const std::string& mode) {
        const auto route = parsed<RouteChange>("route add fd00::/8 encap seg6 mode " + mode +
                                               " segs fc00::1 dev v0");
        return bytes_of_attribute(route.encap, 0);
    };
    EXPECT_EQ(header("encap").size(), 4U + 8 + 16);
    EXPECT_EQ(header("inline").size(), 4U + 8 + 32);
}

TEST(RouteShow, TheMainTableOfIPv4UnlessSaid) {
    const auto show = parsed<RouteShow>("route");
    EXPECT_EQ(show.table, RT_TABLE_MAIN);
    EXPECT_EQ(show.family, AF_INET);
    EXPECT_EQ(parsed<RouteShow>("route show table all").family, AF_UNSPEC);
    EXPECT_EQ(parsed<RouteShow>("-6 route show table all").family, AF_INET6);
    EXPECT_TRUE(parsed<RouteShow>("route show table cache").cloned);
}

TEST(RouteShow, PrefixesAreExactUnlessSaid) {
    const auto exact = parsed<RouteShow>("route show 10.0.0.0/8").destination;
    EXPECT_EQ(exact.root->bits, 8);
    EXPECT_EQ(exact.match->bits, 8);
    EXPECT_FALSE(parsed<RouteShow>("route show root 10.0.0.0/8").destination.match);
    EXPECT_FALSE(parsed<RouteShow>("route show to match 10.0.0.0/8").destination.root);
}

TEST(RouteShow, AllTakesAFilterAway) {
    EXPECT_FALSE(parsed<RouteShow>("route show proto static proto all").protocol);
    EXPECT_EQ(parsed<RouteShow>("route show proto static").protocol, uint8_t{RTPROT_STATIC});
    EXPECT_FALSE(requested("route show scope nosuch"));
}

TEST(RouteGet, NeedsOneFullAddress) {
    EXPECT_EQ(parsed<RouteGet>("route get 10.0.0.1 mark 5").mark, 5U);
    EXPECT_EQ(parsed<RouteGet>("route get fd00::1").family, AF_INET6);
    EXPECT_FALSE(requested("route get 10.0.0.0/8"));
    EXPECT_FALSE(requested("route get default"));
    EXPECT_FALSE(requested("route get"));
    EXPECT_FALSE(requested("route get 10.0.0.1 connected"));
}

}  // namespace nlsh
