#include "backend/render/address_text.h"

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

TEST(AddressText, KeepsWithinItsBuffer) {
    AddressText text;
    text.append(std::string(70, 'x'));
    text.append_length(128);
    text.append(AF_INET, std::array<uint8_t, 4>{});
    EXPECT_EQ(text.view(), std::string(64, 'x'));
    EXPECT_TRUE(text.cut());
}

}  // namespace
}  // namespace nlsh
