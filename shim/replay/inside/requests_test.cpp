#include <gtest/gtest.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include <cstring>
#include <string>

extern "C" {
#include "shim/replay/inside/requests.h"
}

namespace {

std::string attribute(unsigned short type, std::string value) {
    rtattr head{.rta_len = static_cast<unsigned short>(RTA_LENGTH(value.size())), .rta_type = type};
    value.resize(RTA_ALIGN(value.size()));
    return std::string(reinterpret_cast<const char*>(&head), sizeof head) + value;
}

template <typename Own>
std::string message(uint16_t type, const Own& own, const std::string& attributes) {
    struct {
        nlmsghdr head;
        Own own;
    } begin{};
    begin.head.nlmsg_type = type;
    begin.own = own;
    begin.head.nlmsg_len = static_cast<uint32_t>(sizeof begin + attributes.size());
    return std::string(reinterpret_cast<const char*>(&begin), sizeof begin) + attributes;
}

std::string neighbor(const std::string& attributes) {
    ndmsg own{};
    own.ndm_family = AF_BRIDGE;
    return message(RTM_NEWNEIGH, own, attributes);
}

bool same(const std::string& one, const std::string& other) {
    const auto bytes = [](const std::string& text) {
        return reinterpret_cast<const unsigned char*>(text.data());
    };
    return same_request(bytes(one), one.size(), bytes(other), other.size()) != 0;
}

TEST(Requests, ANeighborsProtocolMayStandAnywhere) {
    const std::string address = attribute(NDA_LLADDR, std::string("\2\0\0\0\0\1", 6)),
                      vlan = attribute(NDA_VLAN, std::string("\12\0", 2)),
                      protocol = attribute(NDA_PROTOCOL, "\13");
    const std::string last = neighbor(address + vlan + protocol);
    EXPECT_TRUE(same(neighbor(protocol + address + vlan), last));
    EXPECT_TRUE(same(neighbor(address + protocol + vlan), last));
    EXPECT_FALSE(same(neighbor(address + vlan), last));
    EXPECT_FALSE(same(neighbor(address + vlan + attribute(NDA_PROTOCOL, "\14")), last));
    EXPECT_FALSE(same(
        neighbor(address + vlan + attribute(NDA_PROTOCOL, std::string("\13\0\0\0", 4))), last));
    EXPECT_FALSE(same(neighbor(vlan + address + protocol), last));  // of others it counts
}

TEST(Requests, PaddingInAVirtualFunctionsVlanDoesNotCount) {
    const auto request = [](const std::string& vlan) {
        const std::string list = attribute(IFLA_VF_VLAN_LIST, attribute(IFLA_VF_VLAN_INFO, vlan));
        return message(RTM_NEWLINK, ifinfomsg{},
                       attribute(IFLA_VFINFO_LIST, attribute(IFLA_VF_INFO, list)));
    };
    const std::string vlan("\1\0\0\0\5\0\0\0\3\0\0\0\x88\xa8\0\0", 16);
    std::string padded = vlan, other = vlan;
    padded[14] = 7;
    other[13] = 7;
    EXPECT_TRUE(same(request(padded), request(vlan)));
    EXPECT_FALSE(same(request(other), request(vlan)));
}

TEST(Requests, WhatIsCutOffIsComparedAsItIs) {
    const std::string whole = neighbor(attribute(NDA_PROTOCOL, "\13"));
    for (size_t size = 0; size < whole.size(); ++size) {
        EXPECT_TRUE(same(whole.substr(0, size), whole.substr(0, size))) << size;
        EXPECT_FALSE(same(whole.substr(0, size), whole)) << size;
    }
}

}  // namespace
