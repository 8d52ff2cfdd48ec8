// Shows and words that came with iproute2 6.17 to 7.3, by trait. A line falls back if nlsh doesn't
// know whether the build has the trait.
#include "backend/traits_test.h"

#include <arpa/inet.h>
#include <linux/if_bridge.h>
#include <linux/if_ether.h>
#include <linux/if_link.h>
#include <linux/neighbour.h>
#include <linux/nexthop.h>
#include <sys/socket.h>

#include <string>

#include "backend/objects/bridge/words/fdb.h"
#include "backend/objects/link/words/link.h"
#include "backend/objects/neighbor/words/neighbor.h"
#include "backend/objects/ntable/words/ntable.h"
#include "backend/objects/stats/words/stats.h"
#include "parser/ip/newer_kernel.h"
#include "parser/ip/test_commands.h"

namespace nlsh {
namespace {

using TraitsOfNewest = TraitsOfShows;

TEST_F(TraitsOfNewest, GroupsAreFilteredFirst) {
    const Message link = link_with([](Message& message) { message.put_u32(IFLA_GROUP, 5); });
    const auto show = [&](const Line& words) {
        return [this, words, link] { return shown(Tool::ip, words, {link}); };
    };
    expect(Trait::group_filter_first, show({"-j", "link", "show", "group", "7"}), "[{}]\n", "[]\n");
    expect(Trait::group_filter_first, show({"-j", "-p", "link", "show", "group", "7"}), "[ {} ]\n",
           "[ ]\n");
    traits = iproute2_7_3();
    EXPECT_TRUE(show({"-j", "link", "show", "group", "5"})().contains("\"ifindex\":1"));
}

TEST_F(TraitsOfNewest, LinksThatCantLeaveTheirNamespace) {
    const Message link = link_with([](Message& message) {
        message.put_u32(IFLA_MAX_MTU, 9);
        message.put_u8(newer::IFLA_NETNS_IMMUTABLE, 1);
    });
    expect(
        Trait::netns_immutable, [&] { return details(link, "maxmtu "); }, "9", "9 netns-immutable");
    expect(
        Trait::netns_immutable,
        [&] { return behind(shown(Tool::ip, {"-d", "-j", "link", "show"}, {link}), "max_mtu\":"); },
        "9}]", "9,\"netns-immutable\":true}]");
    const Message other =
        link_with([](Message& message) { message.put_u8(newer::IFLA_NETNS_IMMUTABLE, 0); });
    traits = iproute2_7_3();
    EXPECT_FALSE(details(other, {}).contains("netns"));
}

TEST_F(TraitsOfNewest, BooleansOfABridge) {
    const auto bridge = [](uint32_t known) {
        return link_of("bridge", false, [known](Message& message) {
            const br_boolopt_multi options{.optval = 1U << 4, .optmask = known};
            message.put(IFLA_BR_MULTI_BOOLOPT, &options, sizeof options);
        });
    };
    const std::string before = "0 mcast_vlan_snooping 0";
    const auto show = [&] { return details(bridge(31), "no_linklocal_learn "); };
    expect(Trait::bridge_mdb_offload_notice, show, before,
           before + " mdb_offload_fail_notification 0");
    expect(Trait::bridge_fdb_local_vlan_0, show, before, before + " fdb_local_vlan_0 1");
    traits = iproute2_7_3();
    EXPECT_FALSE(details(bridge(7), {}).contains("fdb_local"));
}

TEST_F(TraitsOfNewest, ItemsOfBondsAndVxlans) {
    const Message port = link_of("bond", true, [](Message& message) {
        message.put_u16(IFLA_BOND_SLAVE_QUEUE_ID, 3);
        message.put_u16(newer::IFLA_BOND_SLAVE_ACTOR_PORT_PRIO, 255);
    });
    expect(
        Trait::bond_actor_port_prio, [&] { return details(port, "queue_id "); }, "3",
        "3 actor_port_prio 255");
    const Message bond = link_of("bond", false, [](Message& message) {
        message.put_u8(newer::IFLA_BOND_BROADCAST_NEIGH, 1);
        message.put_u8(newer::IFLA_BOND_LACP_STRICT, 0);
        message.put_u32(IFLA_BOND_MIN_LINKS, 2);
    });
    const auto show = [&] { return details(bond, "bond "); };
    expect(Trait::bond_broadcast_neighbor, show, "min_links 2",
           "min_links 2 broadcast_neighbor on");
    expect(Trait::bond_lacp_strict, show, "min_links 2", "lacp_strict off min_links 2");
    // iproute2's output for this is unknown.
    const Message vxlan = link_of(
        "vxlan", false, [](Message& message) { message.put_u8(newer::IFLA_VXLAN_MC_ROUTE, 1); });
    expect(Trait::vxlan_mcroute, [&] { return details(vxlan, "vxlan"); }, "", fallback);
}

TEST_F(TraitsOfNewest, ChurnStates) {
    const Message port = link_of("bond", true, [](Message& message) {
        message.put_u16(IFLA_BOND_SLAVE_AD_AGGREGATOR_ID, 1);
        message.put_u8(newer::IFLA_BOND_SLAVE_AD_CHURN_ACTOR_STATE, 2);
        message.put_u8(newer::IFLA_BOND_SLAVE_AD_CHURN_PARTNER_STATE, 1);
    });
    expect(
        Trait::bond_churn_states, [&] { return details(port, "aggregator_id "); }, "1",
        "1 churn_actor_state NO_CHURN churn_partner_state CHURN");
}

TEST_F(TraitsOfNewest, BridgesAndTheirPorts) {
    const Message bridge = link_of("bridge", false, [](Message& message) {
        message.put_u32(IFLA_BR_STP_STATE, 1);
        message.put_u32(newer::IFLA_BR_STP_MODE, 2);
    });
    expect(
        Trait::bridge_stp_mode, [&] { return details(bridge, "stp_state "); }, "1",
        "1 stp_mode kernel");
    const Message port = link_of("bridge", true, [](Message& message) {
        message.put_u8(IFLA_BRPORT_NEIGH_SUPPRESS, 1);
        message.put_u8(newer::IFLA_BRPORT_NEIGH_FORWARD_GRAT, 0);
    });
    expect(
        Trait::port_neigh_forward_grat, [&] { return details(port, "neigh_suppress "); }, "on",
        "on neigh_forward_grat off");
}

TEST_F(TraitsOfNewest, GroupsThatAreNotOffloaded) {
    br_port_msg header{.family = AF_BRIDGE, .ifindex = 1};
    Message mdb(RTM_NEWMDB, NLM_F_MULTI, header);
    put_nest(mdb, MDBA_MDB, [&] {
        put_nest(mdb, MDBA_MDB_ENTRY, [&] {
            br_mdb_entry entry{};
            entry.ifindex = 1;
            entry.flags = newer::mdb_offload_failed;
            entry.addr.u.ip4 = htonl(0xef010101);
            entry.addr.proto = htons(ETH_P_IP);
            mdb.put(MDBA_MDB_ENTRY_INFO, &entry, sizeof entry);
        });
    });
    expect(
        Trait::mdb_offload_failed,
        [&] { return behind(shown(Tool::bridge, {"mdb"}, {mdb}), "239.1.1.1 "); }, "temp",
        "temp offload_failed");
}

TEST_F(TraitsOfNewest, ProbesOfANeighborTable) {
    ndtmsg header{};
    header.ndtm_family = AF_INET;
    Message table(RTM_NEWNEIGHTBL, NLM_F_MULTI, header);
    put_nest(table, NDTA_PARMS, [&] {
        table.put_u32(NDTPA_MCAST_PROBES, 3);
        table.put_u32(NDTPA_MCAST_REPROBES, 4);
        table.put_u32(NDTPA_PROXY_QLEN, 5);
    });
    const auto show = [&] { return behind(shown(Tool::ip, {"ntable"}, {table}), "mcast_probes "); };
    expect(Trait::ntable_mcast_reprobes, show, "3 \n    proxy_queue 5",
           "3 mcast_reprobes 4 \n    proxy_queue 5");
}

TEST_F(TraitsOfNewest, NeighborsAndEntries) {
    ndmsg header{};
    header.ndm_family = AF_INET;
    header.ndm_ifindex = 1;
    header.ndm_state = NUD_STALE;
    Message neighbor(RTM_NEWNEIGH, NLM_F_MULTI, header);
    neighbor.put_u32(NDA_DST, htonl(0x0a000009));
    neighbor.put_u32(NDA_FLAGS_EXT, newer::neighbor_externally_valid);
    expect(
        Trait::neighbor_extern_valid,
        [&] { return shown(Tool::ip, {"neigh", "show"}, {neighbor}); }, "10.0.0.9 dev d1 STALE \n",
        "10.0.0.9 dev d1 extern_valid STALE \n");
    header.ndm_family = AF_BRIDGE;
    header.ndm_state = NUD_NOARP;
    Message entry(RTM_NEWNEIGH, NLM_F_MULTI, header);
    put_nest(entry, NDA_FDB_EXT_ATTRS,
             [&] { entry.put_u8(NFEA_ACTIVITY_NOTIFY, FDB_NOTIFY_BIT | FDB_NOTIFY_INACTIVE_BIT); });
    traits = iproute2_7_3();
    EXPECT_EQ(shown(Tool::bridge, {"fdb"}, {entry}), "dev d1 static\n");
    expect(
        Trait::fdb_activity, [&] { return shown(Tool::bridge, {"-d", "fdb"}, {entry}); },
        "dev d1 static\n", "dev d1 activity_notify inactive static\n");
}

TEST_F(TraitsOfNewest, EntriesWithProtocols) {
    ndmsg header{};
    header.ndm_family = AF_BRIDGE;
    header.ndm_ifindex = 1;
    header.ndm_state = NUD_NOARP;
    const Message without(RTM_NEWNEIGH, NLM_F_MULTI, header);
    Message with = without;
    with.put_u8(NDA_PROTOCOL, 11);
    static const AllProven proof;
    const std::string entry = R"({"ifname":"d1","flags":[],"state":"static"})";
    const std::string both = "[" + entry + "," + entry + "]\n";
    for (const bool patched : {false, true}) {
        traits = iproute2_6_15();
        traits.set(Trait::fdb_protocol, patched);
        traits.prove_by(&proof);
        EXPECT_EQ(shown(Tool::bridge, {"fdb"}, {without}), "dev d1 static\n");
        EXPECT_EQ(shown(Tool::bridge, {"-j", "fdb"}, {without, with}), patched ? fallback : both);
    }
}

TEST_F(TraitsOfNewest, FdbOfANexthop) {
    nhmsg header{};
    header.nh_family = AF_INET;
    Message nexthop(RTM_NEWNEXTHOP, NLM_F_MULTI, header);
    nexthop.put_u32(NHA_ID, 7);
    nexthop.put(NHA_FDB, {});
    expect(
        Trait::blank_after_nexthop_fdb, [&] { return shown(Tool::ip, {"nexthop"}, {nexthop}); },
        "id 7 fdb\n", "id 7 fdb \n");
}

TEST_F(TraitsOfNewest, Palette) {
    const Message link = link_with([](Message&) {});
    const auto show = [&] {
        return shown(Tool::ip, {"-c", "link", "show"}, {link}).substr(0, sizeof "1: \033[36md1");
    };
    expect(Trait::dark_palette, show, "1: \033[36md1:", "1: \033[1;36md");
}

TEST_F(TraitsOfNewest, ControlCharactersInJson) {
    const Message link = link_with(
        [](Message& message) { message.put_string(IFLA_IFALIAS, "a\x01\x7f\n\xc3\xa4"); });
    const auto show = [&] {
        return behind(shown(Tool::ip, {"-j", "link", "show"}, {link}), "ifalias\":");
    };
    traits = iproute2_6_15();
    EXPECT_EQ(show(), "\"a\x01\x7f\\n\xc3\xa4\"}]");
    traits = iproute2_7_3();
    EXPECT_EQ(show(), "\"a\\u0001\\u007f\\n\xc3\xa4\"}]");
}

TEST_F(TraitsOfNewest, SuiteOfVlans) {
    if_stats_msg header{};
    header.ifindex = 1;
    Message stats(RTM_NEWSTATS, NLM_F_MULTI, header);
    put_nest(stats, IFLA_STATS_LINK_XSTATS, [&] {
        put_nest(stats, LINK_XSTATS_TYPE_BRIDGE, [&] {
            bridge_vlan_xstats vlan{};
            vlan.rx_bytes = 936;
            vlan.rx_packets = 12;
            vlan.vid = 1;
            vlan.flags = BRIDGE_VLAN_INFO_PVID | BRIDGE_VLAN_INFO_UNTAGGED;
            stats.put(BRIDGE_XSTATS_VLAN, &vlan, sizeof vlan);
            vlan.vid = 10;
            vlan.flags = 0;
            stats.put(BRIDGE_XSTATS_VLAN, &vlan, sizeof vlan);
        });
    });
    const Line words{"stats", "show", "group", "xstats", "subgroup", "bridge", "suite", "vlan"};
    traits = iproute2_7_3();
    EXPECT_EQ(shown(Tool::ip, words, {stats}),
              "1: d1: group xstats subgroup bridge suite vlan\n"
              "                  1 PVID Egress Untagged\n"
              "                    RX: 936 bytes 12 packets\n"
              "                    TX: 0 bytes 0 packets\n\n"
              "                  10\n"
              "                    RX: 936 bytes 12 packets\n"
              "                    TX: 0 bytes 0 packets\n\n"
              "\n");
}

Parsed<Command> parse(const std::string& line, const Traits& traits) {
    std::vector<std::string> words = words_of(line);
    const Tool tool = words[0] == "bridge" ? Tool::bridge : Tool::ip;
    words.erase(words.begin());
    static const NameTables names = NameTables::built_in(iproute2_7_3());
    return parse_command(tool, words, names, link_kinds(), traits);
}

bool is_refused(const std::string& line, const Traits& traits) {
    const auto command = parse(line, traits);
    return command && command->request.is<RefusedCommand>();
}

TEST(NewestWords, AreTakenSince) {
    const struct {
        const char* line;
        Trait trait;
    } rows[] = {
        {"ip neigh add 10.0.0.9 dev v0 extern_valid", Trait::neighbor_extern_valid},
        {"ip ntable change name arp_cache dev v0 mcast_reprobes 4", Trait::ntable_mcast_reprobes},
        {"ip stats show group xstats subgroup bridge suite vlan", Trait::stats_vlan_suite},
        {"ip link add x type vxlan id 5 dstport 1 nomcroute", Trait::vxlan_mcroute},
        {"ip link add x type bond broadcast_neighbor on", Trait::bond_broadcast_neighbor},
        {"ip link set x type bond_slave actor_port_prio 9", Trait::bond_actor_port_prio},
        {"ip link add x type bond lacp_strict on", Trait::bond_lacp_strict},
        {"ip link add x type bridge stp_mode user", Trait::bridge_stp_mode},
        {"ip link set x type bridge_slave neigh_forward_grat on", Trait::port_neigh_forward_grat},
        {"bridge link set dev x neigh_forward_grat on", Trait::port_neigh_forward_grat},
        {"ip link set x inet forwarding on rp_filter 2 up", Trait::link_inet_parameters},
        {"ip route add fd01::/64 encap seg6 mode encap segs fc00::1 tunsrc fc00::2 dev x",
         Trait::seg6_source},
        {"ip route add fd01::/64 encap seg6 mode encap segs fc00::1 lookup 5 dev x",
         Trait::seg6_lookup},
        {"ip nexthop add id 5 via 10.0.0.2 fdb dst_port 5", Trait::nexthop_port},
        {"ip link add x type bridge fdb_local_vlan_0 1", Trait::bridge_fdb_local_vlan_0},
        {"ip link add x type bridge mdb_offload_fail_notification 1",
         Trait::bridge_mdb_offload_notice},
        {"bridge fdb add 2:0:0:0:0:1 dev v0 static activity_notify inactive norefresh",
         Trait::fdb_activity},
    };
    for (const auto& [line, trait] : rows) {
        Traits traits = iproute2_7_3();
        EXPECT_TRUE(parse(line, traits) && !is_refused(line, traits)) << line;
        traits.forget(trait);
        EXPECT_FALSE(parse(line, traits)) << line;
        traits.set(trait, false);
        EXPECT_FALSE(parse(line, traits) && !is_refused(line, traits)) << line;
    }
}

TEST(NewestWords, OfEntries) {
    const auto change =
        parse("bridge fdb add 2:0:0:0:0:1 dev v0 static inactive activity_notify norefresh",
              iproute2_7_3());
    ASSERT_TRUE(change);
    EXPECT_EQ(change->request.get<FdbChange>().activity, FDB_NOTIFY_BIT | FDB_NOTIFY_INACTIVE_BIT);
    EXPECT_TRUE(change->request.get<FdbChange>().no_refresh);
}

// nlsh doesn't imitate what newer builds say about these.
TEST(NewestWords, AreLeftToTheRealOne) {
    for (const char* line :
         {"ip link set a/b up", "ip rule show iif .", "ip link set v0 name ..",
          "ip route add 10.0.0.0/8 dev v0 features ecn ecn",
          "ip route add 10.0.0.0/8 dev v0 features", "ip link set v0 address 1:zz",
          "ip maddress add foo dev v0", "bridge mdb add dev b0 port v0 grp bogus"}) {
        EXPECT_TRUE(parse(line, iproute2_6_15())) << line;
        EXPECT_FALSE(parse(line, iproute2_7_3())) << line;
    }
    EXPECT_TRUE(parse("ip route add 10.0.0.0/8 dev v0 features ecn", iproute2_7_3()));
}

}  // namespace
}  // namespace nlsh
