#include "backend/objects/maddress/files.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

namespace nlsh {
namespace {

TEST(MulticastFiles, LinkAddresses) {
    std::vector<MulticastAddress> addresses;
    read_dev_mcast(
        "2    v1              1     0     333300000001\n"
        "3    abcdefghijklmno 2     1     01005e000001\n",
        addresses);
    ASSERT_EQ(addresses.size(), 2U);
    EXPECT_EQ(addresses[0].ifindex, 2U);
    EXPECT_EQ(addresses[0].device, "v1");
    EXPECT_FALSE(addresses[0].is_static);
    EXPECT_EQ(addresses[0].address, (std::vector<uint8_t>{0x33, 0x33, 0, 0, 0, 1}));
    EXPECT_EQ(addresses[1].users, 2U);
    EXPECT_TRUE(addresses[1].is_static);
}

TEST(MulticastFiles, GroupsOfADevice) {
    std::vector<MulticastAddress> addresses;
    read_igmp(
        "Idx\tDevice    : Count Querier\tGroup    Users Timer\tReporter\n"
        "1\tlo        :     1      V3\n"
        "\t\t\t\t010000E0     1 0:00000000\t\t0\n"
        "3\tabcdefghijklmno:     2      V3\n"
        "\t\t\t\t030201EF     2 0:00000000\t\t0\n",
        addresses);
    ASSERT_EQ(addresses.size(), 2U);
    EXPECT_EQ(addresses[0].device, "lo");
    EXPECT_EQ(addresses[0].address, (std::vector<uint8_t>{224, 0, 0, 1}));
    EXPECT_EQ(addresses[1].device, "abcdefghijklmno");
    EXPECT_EQ(addresses[1].ifindex, 3U);
    EXPECT_EQ(addresses[1].users, 2U);
}

TEST(MulticastFiles, Ipv6Groups) {
    std::vector<MulticastAddress> addresses;
    read_igmp6("1    lo              ff020000000000000000000000000001     1 0000000C 0\n",
               addresses);
    ASSERT_EQ(addresses.size(), 1U);
    EXPECT_EQ(addresses[0].family, AF_INET6);
    EXPECT_EQ(addresses[0].address.size(), 16U);
    EXPECT_EQ(addresses[0].address[0], 0xff);
}

TEST(MulticastFiles, BrokenLinesAreSkipped) {
    std::vector<MulticastAddress> addresses;
    for (const std::string_view text :
         {"", "\n", "x", "1", "1 lo", "1 lo ff02", "\t\t", "\t\t\t00"}) {
        read_igmp(text, addresses);
        read_igmp6(text, addresses);
    }
    EXPECT_TRUE(addresses.empty());
}

}  // namespace
}  // namespace nlsh
