#include "backend/render/address_text.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>

namespace nlsh {
namespace {

TEST(AddressText, Prefixes) {
    const std::array<uint8_t, 4> v4{10, 0, 200, 45};
    AddressText prefix;
    prefix.append(AF_INET, v4);
    prefix.append_length(24);
    EXPECT_EQ(prefix.view(), "10.0.200.45/24");
    const std::array<uint8_t, 16> v6{0x20, 0x01, 0x0d, 0xb8};
    AddressText other;
    other.append(AF_INET6, v6);
    other.append_length(128);
    EXPECT_EQ(other.view(), "2001:db8::/128");
    EXPECT_FALSE(other.cut());
}

// Each word is zero or one of these, so that all places of "::" and of an IPv4 address occur.
TEST(AddressText, Inet6IsAsInetNtopPrintsIt) {
    for (const unsigned word : {0xffffU, 0x1U, 0x20U, 0xabcU}) {
        for (unsigned zeros = 0; zeros < 256; ++zeros) {
            std::array<uint8_t, 16> address{};
            for (size_t i = 0; i < 8; ++i) {
                if ((zeros >> i & 1) != 0) continue;
                address[2 * i] = static_cast<uint8_t>(word >> 8);
                address[2 * i + 1] = static_cast<uint8_t>(word);
            }
            char expected[INET6_ADDRSTRLEN];
            inet_ntop(AF_INET6, address.data(), expected, sizeof expected);
            AddressText text;
            text.append(AF_INET6, address);
            EXPECT_EQ(text.view(), expected);
        }
    }
}

TEST(AddressText, HardwareAddress) {
    AddressText text;
    text.append_hex(std::array<uint8_t, 6>{0x02, 0, 0xab, 0xcd, 0xef, 0x10});
    EXPECT_EQ(text.view(), "02:00:ab:cd:ef:10");
    AddressText longest;
    longest.append_hex(std::array<uint8_t, 32>{});
    EXPECT_FALSE(longest.cut());
}

TEST(AddressText, KeepsWithinItsBuffer) {
    AddressText text;
    text.append(std::string(100, 'x'));
    text.append_length(128);
    text.append(AF_INET, std::array<uint8_t, 4>{});
    EXPECT_EQ(text.view(), std::string(96, 'x'));
    EXPECT_TRUE(text.cut());
}

}  // namespace
}  // namespace nlsh
