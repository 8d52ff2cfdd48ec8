// Words and errors that came after iproute2 6.1.0: with the trait nlsh behaves like 6.15.0, without
// it like 6.1.0. If nlsh doesn't know, it declines.
#include <gtest/gtest.h>
#include <linux/if_link.h>
#include <linux/neighbour.h>

#include "backend/objects/address/words/address.h"
#include "backend/objects/bridge/words/fdb.h"
#include "backend/objects/bridge/words/link.h"
#include "backend/objects/bridge/words/mdb.h"
#include "backend/objects/bridge/words/mst.h"
#include "backend/objects/bridge/words/vlan.h"
#include "backend/objects/bridge/words/vni.h"
#include "backend/objects/link/words/link.h"
#include "backend/objects/nexthop/words/nexthop.h"
#include "backend/objects/route/words/route.h"
#include "backend/objects/rule/words/rule.h"
#include "parser/ip/command.h"
#include "parser/ip/newer_kernel.h"
#include "parser/ip/test_commands.h"

namespace nlsh {
namespace {

Parsed<Command> read(const std::string& line, Traits traits) {
    static const NameTables names = [] {
        NameTables tables = NameTables::built_in(iproute2_6_15());
        tables[NameKind::dsfield].add(0x28, "AF11");
        return tables;
    }();
    std::vector<std::string> words = words_of(line);
    const Tool tool = words[0] == "bridge" ? Tool::bridge : Tool::ip;
    words.erase(words.begin());
    return parse_command(tool, words, names, {}, traits);
}
Parsed<Command> parse(const std::string& line, Traits traits) {
    return requests_only(read(line, traits));
}

template <typename T>
T newer(const std::string& line) {
    const auto command = parse(line, iproute2_6_15());
    if (!command || !command->request.is<T>()) {
        ADD_FAILURE() << line << (command ? "" : ": " + command.error().reason);
        return {};
    }
    return command->request.get<T>();
}

// The error of a refused line; empty: the line is accepted or falls back.
std::string complaint(const std::string& line, Traits traits) {
    const auto command = read(line, traits);
    const auto* refused = command ? command->request.get_if<RefusedCommand>() : nullptr;
    return refused != nullptr ? refused->message : "";
}
std::string newer_complaint(const std::string& line) {
    return complaint(line, iproute2_6_15());
}

Traits without_knowing(Trait trait) {
    Traits traits = iproute2_6_15();
    traits.forget(trait);
    return traits;
}

TEST(NewerWords, OfAddresses) {
    EXPECT_EQ(newer<AddressChange>("ip addr add 10.0.0.1/24 dev v0 proto 5").protocol, 5);
    EXPECT_EQ(newer<AddressChange>("ip addr del 10.0.0.1/24 dev v0 proto kernel_ra").protocol, 2);
    EXPECT_EQ(newer<AddressShow>("ip addr show proto 3").filter.protocol, 3);
    EXPECT_EQ(newer_complaint("ip addr show proto kernel_lo"),
              "Error: argument \"kernel_lo\" is wrong: \"proto\" value is invalid\n\n");
    EXPECT_TRUE(newer<AddressShow>("ip addr show down").filter.links.down);
    EXPECT_FALSE(parse("ip addr add 10.0.0.1/24 dev v0 proto 5", iproute2_6_1()));
    EXPECT_FALSE(parse("ip addr show proto 3", without_knowing(Trait::address_protocol)));
}

TEST(NewerWords, OfRules) {
    const auto rule = newer<RuleChange>("ip rule add sport 80/0xf0 dscp AF11/0x3e flowlabel 5");
    EXPECT_EQ(rule.selectors.source_ports->first, 80);
    EXPECT_EQ(rule.selectors.source_ports->mask, 0xf0);
    EXPECT_FALSE(newer<RuleChange>("ip rule add sport 80/0xffff").selectors.source_ports->mask);
    EXPECT_EQ(rule.selectors.flow_label->value, 5U);
    const auto shown = newer<RuleShow>("ip rule show sport 80 dport 0").filter;
    EXPECT_EQ(shown.source_ports->mask, 0xffff);
    EXPECT_TRUE(shown.destination_ports);
    EXPECT_EQ(newer_complaint("ip rule add sport http"),
              "Error: argument \"http\" is wrong: invalid port\n");
    EXPECT_EQ(newer_complaint("ip rule add sport 80/"),
              "Error: argument \"\" is wrong: invalid mask\n");
    EXPECT_EQ(newer_complaint("ip rule add dport -80"),
              "Error: argument \"\" is wrong: invalid port range start\n");
    EXPECT_EQ(newer_complaint("ip rule add dscp x/5"),
              "Error: argument \"x\" is wrong: invalid dscp\n");
    EXPECT_EQ(complaint("ip rule add dscp 5", iproute2_6_1()),
              "Error: argument \"dscp\" is wrong: Failed to parse rule type\n");
    EXPECT_EQ(complaint("ip rule add dscp 5", without_knowing(Trait::rule_dscp)), "");
    EXPECT_FALSE(parse("ip rule add dscp 5", without_knowing(Trait::rule_dscp)));
}

TEST(NewerWords, OfNexthops) {
    const auto group = newer<NexthopChange>("ip nexthop add id 3 group 1,300/2 hw_stats on");
    EXPECT_EQ(group.group, (std::vector<NexthopMember>{{1, 299}, {2, 0}}));
    EXPECT_EQ(group.hw_stats, true);
    EXPECT_EQ(newer_complaint("ip nexthop add id 3 group 1,65537"),
              "Error: argument \"65537\" is wrong: \"weight\" is invalid\n\n");
    EXPECT_EQ(complaint("ip nexthop add id 3 group 1,300", iproute2_6_1()),
              "Error: argument \"300\" is wrong: \"weight\" is invalid\n\n");
}

TEST(NewerWords, OfRoutes) {
    EXPECT_EQ(newer<RouteGet>("ip -6 route get ::1 flowlabel 5").flow_label, 5U);
    EXPECT_TRUE(newer<RouteGet>("ip route get 1.1.1.1 notify").notify);
    EXPECT_EQ(newer_complaint("ip route add 1.1.1.1 encap mpls 100"),
              "Error: argument \"encap type\" is required\n");
}

TEST(NewerWords, OfBridges) {
    EXPECT_EQ(newer<BridgeLinkShow>("bridge link show master br0").master, "br0");
    EXPECT_TRUE(parse("bridge link show master br0", iproute2_6_1())
                    ->request.get<BridgeLinkShow>()
                    .master.empty());
    const auto vlan = newer<VlanSet>("bridge vlan set dev v0 vid 1 neigh_suppress on");
    EXPECT_EQ(vlan.options[0], (VlanSet::Option{newer::BRIDGE_VLANDB_ENTRY_NEIGH_SUPPRESS, 1, 1}));
    EXPECT_TRUE(parse("bridge mst show", iproute2_6_15()));
    EXPECT_EQ(newer<MstSet>("bridge mst set dev v0 msti 5 state 1").instance, 5);
    EXPECT_EQ(newer<VniChange>("bridge vni del dev vx vni 5").verb, ChangeVerb::remove);
    EXPECT_EQ(newer_complaint("bridge vni add dev vx vni 5 vni 6"),
              "Error: duplicate \"vni\": \"6\" is the second value.\n");
    EXPECT_EQ(newer_complaint("bridge vni add dev vx group 239.1.1.1 remote 10.0.0.1"),
              "Error: duplicate \"destination\": \"10.0.0.1\" is the second value.\n");
}

TEST(NewerWords, OfEntries) {
    const auto flush = newer<FdbFlush>("bridge fdb flush dev vx vni 5 dst 10.0.0.1 norouter");
    EXPECT_EQ(flush.vni, 5U);
    EXPECT_EQ(flush.destination->size, 4);
    EXPECT_EQ(flush.flags_mask, NTF_ROUTER);
    EXPECT_FALSE(parse("bridge fdb flush dev br0 sta", iproute2_6_15()));  // prints its usage
    EXPECT_TRUE(parse("bridge fdb flush dev br0 sta", iproute2_6_1()));
    const auto mdb = newer<MdbChange>(
        "bridge mdb replace dev br0 port v0 grp 239.1.1.1 filter_mode include "
        "source_list 10.0.0.1,10.0.0.2 proto zebra");
    EXPECT_EQ(mdb.verb, ChangeVerb::replace);
    EXPECT_EQ(mdb.filter_mode, 1);
    EXPECT_EQ(mdb.sources.size(), 2U);
    EXPECT_EQ(mdb.protocol, 11);
    EXPECT_EQ(parse("bridge mdb add dev br0 port v0 grp 239.1.1.1 proto zebra", iproute2_6_1())
                  ->request.get<MdbChange>()
                  .protocol,
              0);
    EXPECT_EQ(newer<MdbFlush>("bridge mdb flush dev br0 nopermanent").permanent, false);
    EXPECT_EQ(newer<MdbGet>("bridge mdb get dev br0 grp 239.1.1.1 vid 7").vid, 7U);
    const auto vxlan = newer<MdbChange>(
        "bridge mdb add dev vx0 port vx0 grp 239.1.1.1 dst 10.0.0.4 dst_port 5 vni 7 src_vni 8 "
        "via lo");
    EXPECT_EQ(vxlan.remote.numbers.at(newer::MDBE_ATTR_DST_PORT), 5U);
    EXPECT_EQ(vxlan.remote.numbers.at(newer::MDBE_ATTR_VNI), 7U);
    EXPECT_EQ(vxlan.remote.numbers.at(newer::MDBE_ATTR_SRC_VNI), 8U);
    EXPECT_EQ(vxlan.remote.via, "lo");
}

TEST(NewerWords, OnAndOffInFull) {
    const std::string line = "ip stats set dev v0 l3_stats o";
    EXPECT_TRUE(parse(line, iproute2_6_1()));
    EXPECT_EQ(newer_complaint(line),
              "Error: argument of \"l3_stats\" must be one of \"off\", \"on\", not \"o\"\n");
    EXPECT_EQ(complaint(line, without_knowing(Trait::on_off_in_full)), "");
}

TEST(NewerWords, OptionsThatLackTheirValue) {
    EXPECT_EQ(newer_complaint("ip -s -f"), "Error: argument \"family type\" is required\n");
    EXPECT_EQ(newer_complaint("ip -rc"), "Error: argument \"rcvbuf size\" is required\n");
    EXPECT_EQ(complaint("ip -l", iproute2_6_1()), "");
}

TEST(NewerWords, ColoursThatNobodyAskedFor) {
    EXPECT_EQ(parse("ip link show", iproute2_6_1())->options.color, ColorMode::never);
    EXPECT_EQ(parse("ip link show", iproute2_6_15())->options.color, ColorMode::unsaid);
    EXPECT_EQ(parse("ip -c=never link show", iproute2_6_15())->options.color, ColorMode::never);
}

TEST(NewerWords, ColoursOfABuildWhoseOnesArentKnown) {
    const Traits unknown = without_knowing(Trait::colour_on_terminals);
    EXPECT_FALSE(parse("ip -c link show", unknown));
    EXPECT_FALSE(parse("ip -color=auto link show", unknown));
    EXPECT_TRUE(parse("ip -c=never link show", unknown));
    EXPECT_TRUE(parse("ip link show", unknown));
}

}  // namespace
}  // namespace nlsh
