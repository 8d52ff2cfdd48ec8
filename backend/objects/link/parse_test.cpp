#include <gmock/gmock.h>
#include <linux/if.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>

#include "backend/objects/bridge/words/link.h"
#include "backend/objects/link/kinds/kinds.h"
#include "backend/objects/link/words/link.h"
#include "parser/ip/test_commands.h"

namespace nlsh {
namespace {

using ::testing::ElementsAre;

Parsed<LinkChange> parse(const std::string& line) {
    const auto words = words_of(line);
    Options options;
    const NameTables names = NameTables::built_in();
    ParseContext context{.options = options, .names = names, .kinds = link_kinds()};
    auto result = parse_verb(link_object.verbs, context, Arguments(words, options.traits));
    if (!result) return std::unexpected(result.error());
    if (const auto* refusal = result->get_if<RefusedCommand>()) {
        return declined(refusal->message);
    }
    return result->get<LinkChange>();
}

template <typename T>
std::string bytes(T value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

LinkAttribute info(const char* kind, std::vector<LinkAttribute> data,
                   uint16_t type = IFLA_INFO_DATA) {
    std::vector<LinkAttribute> attributes{{IFLA_INFO_KIND, std::string(kind)}};
    if (!data.empty()) attributes.push_back({type, LinkNest{"", std::move(data)}});
    return {IFLA_LINKINFO, LinkNest{"", std::move(attributes)}};
}

const LinkAttribute name_x{IFLA_IFNAME, std::string("x") + '\0'};

TEST(Link, SetNamesTheDeviceInAnyPlace) {
    for (const char* line : {"set x up mtu 9100", "set up mtu 9100 x", "set dev x mtu 9100 up",
                             "change name x up mtu 0x238c", "set mtu 9100 up dev x"}) {
        const auto change = parse(line);
        ASSERT_TRUE(change) << line;
        EXPECT_EQ(change->device, "x") << line;
        EXPECT_EQ(change->flags, IFF_UP);
        EXPECT_EQ(change->change, IFF_UP);
        EXPECT_THAT(change->attributes, ElementsAre(LinkAttribute{IFLA_MTU, bytes(9100)}));
        EXPECT_TRUE(change->info.empty()) << line;
    }
}

TEST(Link, MastersAreNames) {
    EXPECT_THAT(
        parse("set x master br")->attributes,
        ElementsAre(LinkAttribute{IFLA_MASTER, LinkDevice{"br", LinkDevice::Role::master}}));
    EXPECT_THAT(parse("set x vrf v")->attributes,
                ElementsAre(LinkAttribute{IFLA_MASTER, LinkDevice{"v", LinkDevice::Role::vrf}}));
    EXPECT_THAT(parse("set x nomaster")->attributes,
                ElementsAre(LinkAttribute{IFLA_MASTER, bytes(0)}));
}

TEST(Link, InvertedFlags) {
    const auto change = parse("set x arp off trailers on promisc on");
    EXPECT_EQ(change->flags, unsigned{IFF_NOARP} | unsigned{IFF_PROMISC});
    EXPECT_EQ(change->change,
              unsigned{IFF_NOARP} | unsigned{IFF_NOTRAILERS} | unsigned{IFF_PROMISC});
}

TEST(Link, RenameIsAfterTheLookup) {
    const auto change = parse("set y name x");
    EXPECT_EQ(change->device, "y");
    EXPECT_THAT(change->info, ElementsAre(name_x));
}

TEST(Link, AddressOfAnExistingLinkIsChecked) {
    EXPECT_EQ(parse("set x address 02:00:00:00:00:01")->address_size, 6);
    EXPECT_FALSE(parse("add x address 02:00:00:00:00:01 type bridge")->address_size);
}

TEST(Link, AddInBothOrders) {
    for (const char* line :
         {"add link y up name x type vlan id 5", "add x link y up type vlan id 5",
          "add dev x up link y type vlan id 5"}) {
        const auto change = parse(line);
        ASSERT_TRUE(change) << line;
        EXPECT_TRUE(change->create && change->exclusive && change->device.empty());
        EXPECT_THAT(change->info, ElementsAre(LinkAttribute{IFLA_LINK, LinkDevice{"y"}}, name_x,
                                              info("vlan", {{IFLA_VLAN_ID, bytes(uint16_t{5})}})));
    }
}

TEST(Link, VethPeer) {
    const auto change = parse("add x type veth peer name z");
    LinkNest peer{std::string(sizeof(ifinfomsg), '\0'), {{IFLA_IFNAME, std::string("z") + '\0'}}};
    EXPECT_THAT(change->info, ElementsAre(name_x, info("veth", {{VETH_INFO_PEER, peer}})));
}

TEST(Link, VxlanAddsWhatIproute2Adds) {
    const auto change = parse("add x type vxlan dstport 4789 local 10.0.0.1 id 7");
    EXPECT_THAT(
        change->info,
        ElementsAre(name_x, info("vxlan", {{IFLA_VXLAN_ID, bytes(7)},
                                           {IFLA_VXLAN_LOCAL, "\x0a" + std::string(2, '\0') + "\1"},
                                           {IFLA_VXLAN_LEARNING, bytes(uint8_t{1})},
                                           {IFLA_VXLAN_PORT, "\x12\xb5"}})));
}

TEST(Link, BridgeOptionsShareOneAttribute) {
    const auto change = parse("set x type bridge no_linklocal_learn 1 priority 5");
    EXPECT_THAT(change->info,
                ElementsAre(info("bridge", {{IFLA_BR_PRIORITY, bytes(uint16_t{5})},
                                            {IFLA_BR_MULTI_BOOLOPT, bytes(1) + bytes(1)}})));
}

TEST(Link, SlaveData) {
    EXPECT_THAT(
        parse("set x type bridge_slave cost 5")->info,
        ElementsAre(info("bridge_slave", {{IFLA_BRPORT_COST, bytes(5)}}, IFLA_INFO_SLAVE_DATA)));
}

TEST(Link, Declines) {
    for (const char* line : {"set",
                             "add",
                             "del",
                             "set x y",
                             "set x mtu",
                             "set x mtu 1 mtu 2",
                             "set x mtu abc",
                             "set x arp o",
                             "set x netns +1",
                             "set x vf 0",
                             "set x xdp off",
                             "set x index 3",
                             "set a up",
                             "set x type",
                             "set x type bridge foo 1",
                             "add x type bridge stp 1 stp_state 1",
                             "add x type gtp role sgsn",
                             "add x name y type bridge",
                             "add x",
                             "add x type vxlan dstport 1",
                             "add x type vxlan id 5 dstport 1 group 239.1.1.1",
                             "set abcdefghijklmnop up",
                             "set x/y up",
                             "add x type veth peer name y type bridge",
                             "del",
                             "xstats",
                             "afstats v0",
                             "set group 5 address 2:0:0:0:0:1",
                             "set x address 02:00:00:00:00:01:",
                             "set x alias",
                             "property add altname y"}) {
        EXPECT_FALSE(parse(line)) << line;
    }
}

TEST(Link, Property) {
    EXPECT_EQ(parse("property add dev x")->attributes,
              (std::vector{LinkAttribute{IFLA_PROP_LIST | NLA_F_NESTED, LinkNest{}}}));
    const auto change = parse("property add dev x altname y");
    EXPECT_EQ(change->action, LinkChange::Action::add_property);
    EXPECT_THAT(
        change->attributes,
        ElementsAre(LinkAttribute{IFLA_PROP_LIST | NLA_F_NESTED,
                                  LinkNest{"", {{IFLA_ALT_IFNAME, std::string("y") + '\0'}}}}));
}

Parsed<Command> command(const std::string& line, Tool tool = Tool::ip) {
    return parse_line(tool, line, link_kinds());
}

TEST(Link, RefusalsOfAKind) {
    const auto added = command("link add x type geneve id 5");
    ASSERT_TRUE(added);
    EXPECT_EQ(added->request.get<RefusedCommand>().message,
              "geneve: remote link partner not specified\n");
    for (const char* line :
         {"link add x master br0 type vxlan id x", "link add x type vxlan dev v0 id x"}) {
        EXPECT_FALSE(command(line)) << line;  // not after a look-up
    }
    // Only if the device exists.
    const auto changed = command("link set br0 type bridge priority x");
    ASSERT_TRUE(changed);
    const auto& refused = changed->request.get<RefusedCommand>();
    EXPECT_EQ(refused.lookups, std::vector<RefusedCommand::Lookup>{{"br0"}});
    EXPECT_EQ(refused.message, "Error: argument \"x\" is wrong: invalid priority\n");
}

TEST(Link, APeersNamespaceIsForTheCallersOwnProcess) {
    EXPECT_TRUE(command("link add v0 type veth peer name v1 netns 0x7")->is.in_process);
}

TEST(BridgeLink, TheLastValueCounts) {
    const auto parsed = command("link set dev v0 learning on cost 4 learning off", Tool::bridge);
    ASSERT_TRUE(parsed);
    const auto& set = parsed->request.get<BridgeLinkSet>();
    const std::vector<PortAttribute> expected = {{IFLA_BRPORT_LEARNING, 1, 0},
                                                 {IFLA_BRPORT_COST, 4, 4}};
    EXPECT_EQ(set.attributes, expected);
}

}  // namespace
}  // namespace nlsh
