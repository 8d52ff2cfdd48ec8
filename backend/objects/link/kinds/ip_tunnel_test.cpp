#include <gmock/gmock.h>
#include <linux/if_link.h>
#include <linux/if_tunnel.h>

#include "backend/objects/link/kinds/kinds.h"
#include "backend/objects/link/words/link.h"
#include "parser/ip/test_commands.h"

namespace nlsh {
namespace {

std::vector<LinkAttribute> data_of(const std::string& line) {
    const auto words = words_of(line);
    Options options;
    const NameTables names = NameTables::built_in();
    ParseContext context{.options = options, .names = names, .kinds = link_kinds()};
    auto result = parse_verb(link_object.verbs, context, Arguments(words, options.traits));
    if (!result || result->is<RefusedCommand>()) return {};
    const auto& change = result->get<LinkChange>();
    const auto& info = std::get<LinkNest>(change.info.back().value);
    return std::get<LinkNest>(info.attributes.back().value).attributes;
}

const LinkAttribute* find(const std::vector<LinkAttribute>& data, uint16_t type) {
    const auto found = std::ranges::find(data, type, &LinkAttribute::type);
    return found == data.end() ? nullptr : &*found;
}

std::string bytes(const std::vector<LinkAttribute>& data, uint16_t type) {
    const LinkAttribute* found = find(data, type);
    return found == nullptr ? "none" : std::get<std::string>(found->value);
}

TEST(IpTunnel, ANewOneSendsItsDefaults) {
    const auto data = data_of("add x type gre remote 1.2.3.4 key 5 csum");
    EXPECT_EQ(bytes(data, IFLA_GRE_REMOTE), "\1\2\3\4");
    EXPECT_EQ(bytes(data, IFLA_GRE_LOCAL), "none");
    EXPECT_EQ(bytes(data, IFLA_GRE_IKEY), std::string("\0\0\0\5", 4));
    EXPECT_EQ(bytes(data, IFLA_GRE_OFLAGS), std::string("\xa0\0", 2));
    EXPECT_EQ(bytes(data, IFLA_GRE_PMTUDISC), "\1");
    EXPECT_EQ(bytes(data, IFLA_GRE_TTL), std::string(1, '\0'));
}

TEST(IpTunnel, TheLastOfAnOptionCounts) {
    const auto data =
        data_of("add x type ip6tnl remote fd00::1 remote any hoplimit 3 hlim inherit");
    EXPECT_EQ(bytes(data, IFLA_IPTUN_REMOTE), "none");
    EXPECT_EQ(bytes(data, IFLA_IPTUN_TTL), std::string(1, '\0'));
}

TEST(IpTunnel, AChangeKeepsWhatNoOptionNames) {
    const auto data = data_of("set x type gre ttl 7 seq");
    EXPECT_EQ(bytes(data, IFLA_GRE_TTL), "\7");
    const auto kept = std::get<LinkKept>(find(data, IFLA_GRE_IFLAGS)->value);
    EXPECT_EQ(kept.value, std::string("\x10\0", 2));
    EXPECT_EQ(kept.mask, std::string("\x10\0", 2));
    EXPECT_TRUE(std::get<LinkKept>(find(data, IFLA_GRE_COLLECT_METADATA)->value).last);
    EXPECT_TRUE(std::get<LinkKept>(find(data, IFLA_GRE_LOCAL)->value).value.empty());
}

TEST(IpTunnel, ExternalStandsAlone) {
    const auto data = data_of("add x type ipip ttl 4 external");
    ASSERT_EQ(data.size(), 2U);
    EXPECT_EQ(data[0].type, IFLA_IPTUN_PROTO);
    EXPECT_EQ(data[1].type, IFLA_IPTUN_COLLECT_METADATA);
}

LinkKept kept(const std::vector<LinkAttribute>& data, uint16_t type) {
    const LinkAttribute* found = find(data, type);
    const auto* value = found == nullptr ? nullptr : std::get_if<LinkKept>(&found->value);
    return value == nullptr ? LinkKept{.value = "none"} : *value;
}

TEST(IpTunnel, AChangeKeepsTheEncapsulation) {
    const auto gre = data_of("set x type gre ttl 7 encap-csum");
    EXPECT_EQ(kept(gre, IFLA_GRE_ENCAP_TYPE), (LinkKept{.value = std::string(2, '\0')}));
    EXPECT_EQ(kept(gre, IFLA_GRE_ENCAP_FLAGS).mask, std::string("\1\0", 2));
    EXPECT_EQ(kept(gre, IFLA_GRE_ENCAP_DPORT), (LinkKept{.value = std::string(2, '\0')}));
    EXPECT_EQ(kept(data_of("set x type sit ttl 7"), IFLA_IPTUN_ENCAP_TYPE),
              (LinkKept{.value = std::string(2, '\0')}));
    // Only ip6tnl starts from the defaults.
    EXPECT_EQ(bytes(data_of("set x type ip6tnl ttl 7"), IFLA_IPTUN_ENCAP_FLAGS),
              std::string("\2\0", 2));
}

TEST(IpTunnel, ADeviceIsLookedUpThoughNotSent) {
    const auto data = data_of("add x type gre external dev v0");
    EXPECT_EQ(std::get<LinkDevice>(find(data, IFLA_GRE_LINK)->value),
              (LinkDevice{.name = "v0", .role = LinkDevice::Role::strict, .sent = false}));
}

TEST(IpTunnel, FlowLabelsAreHexadecimal) {
    EXPECT_EQ(bytes(data_of("add x type ip6gre flowlabel 1f"), IFLA_GRE_FLOWINFO),
              std::string("\0\0\0\x1f", 4));
    EXPECT_TRUE(data_of("add x type ip6gre flowlabel 100000").empty());
}

TEST(IpTunnel, LeavesWhatIproute2Refuses) {
    for (const char* line :
         {"add x type gre remote fd00::1", "add x type gre ttl 256", "add x type gre key foo",
          "add x type gre n remote 1.2.3.4", "add x type gre remote 224.0.0.1",
          "add x type ipip key 5", "add x type ipip ttl 5 nopmtudisc", "add x type sit 6rd-reset",
          "add x type erspan erspan_ver 3", "set x type erspan erspan 3"}) {
        EXPECT_TRUE(data_of(line).empty()) << line;
    }
}

}  // namespace
}  // namespace nlsh
