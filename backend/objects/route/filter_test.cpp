#include "backend/objects/route/filter.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include "backend/net/message.h"

namespace nlsh {
namespace {

// A route of a dump, as the kernel would send it.
class Sample {
  public:
    Sample(uint8_t family, std::initializer_list<uint8_t> destination, uint8_t bits)
        : message_(RTM_NEWROUTE, 0, rtmsg{}) {
        header()->rtm_family = family;
        header()->rtm_dst_len = bits;
        header()->rtm_table = RT_TABLE_MAIN;
        header()->rtm_type = RTN_UNICAST;
        message_.put(RTA_DST, std::span<const uint8_t>(destination.begin(), destination.size()));
    }
    rtmsg* header() { return message_.family_header<rtmsg>(); }
    Message& message() { return message_; }
    bool passes(RouteFilter& filter) {
        return filter.passes(
            {*header(), Attributes<RTA_MAX>(attribute_bytes<rtmsg>(*message_.header()))});
    }

  private:
    Message message_;
};

RouteFilter filter_of(const RouteShow& show) {
    return {show, show.table, 0, 0};
}

RouteFilter table_filter(uint32_t table) {
    RouteShow show;
    show.table = table;
    return filter_of(show);
}

RouteFilter via_filter(const InetPrefix& via) {
    RouteShow show;
    show.via = via;
    return filter_of(show);
}

InetPrefix prefix(std::string_view word) {
    return parse_prefix(word, AF_UNSPEC).value();
}

}  // namespace

TEST(RouteFilter, RootIsInsideAndMatchIsAround) {
    Sample route(AF_INET, {10, 3, 4, 0}, 24);
    const auto passes = [&](PrefixFilter destination) {
        RouteShow show;
        show.destination = destination;
        RouteFilter filter = filter_of(show);
        return route.passes(filter);
    };
    EXPECT_TRUE(passes({.root = prefix("10.3.0.0/16"), .match = {}}));
    EXPECT_FALSE(passes({.root = prefix("10.3.4.0/25"), .match = {}}));
    EXPECT_FALSE(passes({.root = prefix("10.4.0.0/16"), .match = {}}));
    EXPECT_TRUE(passes({.root = {}, .match = prefix("10.3.4.5")}));
    EXPECT_FALSE(passes({.root = {}, .match = prefix("10.3.5.5")}));
    EXPECT_FALSE(passes({.root = {}, .match = prefix("10.3.0.0/16")}));
    EXPECT_FALSE(passes({.root = {}, .match = prefix("default")}));
    EXPECT_TRUE(passes({.root = prefix("any"), .match = prefix("any")}));
    EXPECT_FALSE(passes({.root = prefix("fd00::/8"), .match = {}}));
}

TEST(RouteFilter, LocalIPv6RoutesHideInMainUntilAnotherTableIsSeen) {
    Sample local(AF_INET6, {0xfd}, 64);
    local.header()->rtm_type = RTN_LOCAL;
    Sample elsewhere(AF_INET6, {0xfd}, 64);
    elsewhere.header()->rtm_table = 100;
    RouteFilter filter = table_filter(RT_TABLE_MAIN);
    EXPECT_FALSE(local.passes(filter));
    EXPECT_FALSE(elsewhere.passes(filter));
    EXPECT_TRUE(local.passes(filter));
}

TEST(RouteFilter, LargeTablesAreInAnAttribute) {
    Sample route(AF_INET, {10}, 8);
    route.header()->rtm_table = RT_TABLE_COMPAT;
    route.message().put_u32(RTA_TABLE, 1000);
    RouteFilter filter = table_filter(1000);
    EXPECT_TRUE(route.passes(filter));
    RouteFilter other = table_filter(RT_TABLE_COMPAT);
    EXPECT_FALSE(route.passes(other));
}

TEST(RouteFilter, GatewaysOfAnotherFamily) {
    Sample route(AF_INET, {10}, 8);
    uint8_t via[18] = {AF_INET6, 0, 0xfd};
    route.message().put(RTA_VIA, via, sizeof via);
    RouteFilter filter = via_filter(prefix("fd00::/8"));
    EXPECT_TRUE(route.passes(filter));
    RouteFilter other = via_filter(prefix("10.0.0.0/8"));
    EXPECT_FALSE(route.passes(other));
}

}  // namespace nlsh
