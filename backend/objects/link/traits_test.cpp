// What `ip -d link` and `bridge` show of links for iproute2 5.10.0, 6.1.0 and 6.15.0, by trait. A
// line falls back if nlsh doesn't know whether a build has the trait.
#include "backend/traits_test.h"

#include <arpa/inet.h>
#include <linux/if_bridge.h>
#include <linux/if_ether.h>
#include <linux/if_link.h>
#include <linux/if_macsec.h>
#include <linux/if_tunnel.h>
#include <sys/socket.h>

#include "backend/objects/bridge/vlan/query.h"
#include "backend/objects/bridge/vni_entries.h"
#include "parser/ip/newer_kernel.h"

namespace nlsh {
namespace {

using TraitsOfLinks = TraitsOfShows;

TEST_F(TraitsOfLinks, SizesOfALink) {
    const Message link = link_with([](Message& message) {
        message.put_u32(IFLA_GRO_MAX_SIZE, 5);
        message.put_u32(newer::IFLA_GSO_IPV4_MAX_SIZE, 6);
        message.put_u32(newer::IFLA_GRO_IPV4_MAX_SIZE, 7);
    });
    const auto show = [&] { return details(link, "gro_max_size "); };
    expect(Trait::link_ipv4_max_sizes, show, "5", "5 gso_ipv4_max_size 6 gro_ipv4_max_size 7");
}

TEST_F(TraitsOfLinks, PromiscuityAndAllmulti) {
    const Message link = link_with([](Message& message) {
        message.put_u32(IFLA_PROMISCUITY, 0);
        message.put_u32(IFLA_ALLMULTI, 1);
    });
    const auto show = [&] { return details(link, "promiscuity "); };
    expect(Trait::one_blank_before_allmulti, show, "0  allmulti 1", "0 allmulti 1");
}

TEST_F(TraitsOfLinks, BooleansOfAVxlan) {
    const Message vxlan = link_of("vxlan", false, [](Message& message) {
        message.put_u32(IFLA_VXLAN_ID, 5);
        message.put_u8(IFLA_VXLAN_LEARNING, 0);
        message.put_u8(IFLA_VXLAN_PROXY, 1);
        message.put_u8(IFLA_VXLAN_RSC, 0);
        message.put_u8(IFLA_VXLAN_UDP_CSUM, 1);
        message.put_u32(IFLA_VXLAN_AGEING, 9);
        message.put_flag(IFLA_VXLAN_GBP);
    });
    const auto show = [&](Line words) {
        words.insert(words.end(), {"link", "show"});
        return [&, words] { return behind(shown(Tool::ip, words, {vxlan}), "vxlan"); };
    };
    const Trait trait = Trait::vxlan_booleans_last;
    expect(trait, show({"-d"}), " id 5 nolearning proxy ageing 9 udpcsum gbp",
           " id 5 ageing 9 gbp nolearning proxy");
    expect(trait, show({"-d", "-d"}), " id 5 nolearning proxy ageing 9 udpcsum gbp",
           " id 5 ageing 9 gbp nolearning proxy norsc udp_csum");
    expect(trait, show({"-d", "-j"}),
           R"(","info_data":{"id":5,"learning":false,"proxy":true,"ageing":9,"udp_csum":true,)"
           R"("gbp":true}}}])",
           R"(","info_data":{"id":5,"ageing":9,"gbp":null,"learning":false,"proxy":true,)"
           R"("rsc":false,"udp_csum":true}}}])");
}

TEST_F(TraitsOfLinks, NewerItemsOfAVxlan) {
    const Message vxlan = link_of("vxlan", false, [](Message& message) {
        message.put_u32(IFLA_VXLAN_ID, 5);
        message.put_u64(newer::IFLA_VXLAN_RESERVED_BITS, htobe64(0xf7ffffff000000ff));
        message.put_u8(newer::IFLA_VXLAN_LOCALBYPASS, 0);
    });
    const auto show = [&] { return details(vxlan, "vxlan"); };
    expect(Trait::vxlan_reserved_bits, show, " id 5", " id 5 reserved_bits 0xf7ffffff000000ff");
    expect(Trait::vxlan_localbypass, show, " id 5", " id 5 nolocalbypass");
}

TEST_F(TraitsOfLinks, ItemsOfABridge) {
    const Message bridge = link_of("bridge", false, [](Message& message) {
        const ifla_bridge_id own{.prio = {0x80, 0}, .addr = {2, 0, 0, 0, 0, 2}};
        const ifla_bridge_id root{.prio = {0, 0x64}, .addr = {2, 0, 0, 0, 0, 1}};
        message.put(IFLA_BR_BRIDGE_ID, &own, sizeof own);
        message.put(IFLA_BR_ROOT_ID, &root, sizeof root);
        message.put_u32(newer::IFLA_BR_FDB_N_LEARNED, 3);
        message.put_u32(newer::IFLA_BR_FDB_MAX_LEARNED, 4);
        const br_boolopt_multi options{.optval = 1 << BR_BOOLOPT_MST_ENABLE, .optmask = 7};
        message.put(IFLA_BR_MULTI_BOOLOPT, &options, sizeof options);
    });
    const auto show = [&] { return details(bridge, "bridge_id "); };
    const std::string own = "8000.2:0:0:0:0:2";
    const std::string options = " no_linklocal_learn 0 mcast_vlan_snooping 0";
    const std::string before = own + " designated_root " + own;
    expect(Trait::bridge_root_id, show, before + options,
           own + " designated_root 0064.2:0:0:0:0:1" + options);
    expect(Trait::bridge_fdb_limit, show, before + options,
           before + " fdb_n_learned 3 fdb_max_learned 4" + options);
    expect(Trait::bridge_mst_enabled, show, before + options, before + options + " mst_enabled 1");
}

TEST_F(TraitsOfLinks, PriorityOfABondsPort) {
    const Message port = link_of("bond", true, [](Message& message) {
        message.put_u16(IFLA_BOND_SLAVE_QUEUE_ID, 3);
        message.put_u32(IFLA_BOND_SLAVE_PRIO, 4);
    });
    const auto show = [&] { return details(port, "queue_id "); };
    expect(Trait::words_of_6_1, show, "3", "3 prio 4");
}

TEST_F(TraitsOfLinks, CiphersOfMacsec) {
    const Message device = link_of("macsec", false, [](Message& message) {
        message.put_u64(IFLA_MACSEC_CIPHER_SUITE, MACSEC_CIPHER_ID_GCM_AES_XPN_128);
    });
    traits = iproute2_5_10();
    EXPECT_EQ(shown(Tool::ip, {"-d", "link", "show"}, {device}), fallback);
    traits = iproute2_6_1();
    EXPECT_TRUE(shown(Tool::ip, {"-d", "link", "show"}, {device}).contains("GCM-AES-XPN-128"));
}

TEST_F(TraitsOfLinks, DirectionOfErspanInJson) {
    const Message tunnel = link_of("erspan", false, [](Message& message) {
        message.put_u8(IFLA_GRE_ERSPAN_VER, 2);
        message.put_u8(IFLA_GRE_ERSPAN_DIR, 1);
    });
    traits = iproute2_5_10();
    EXPECT_EQ(shown(Tool::ip, {"-j", "-d", "link", "show"}, {tunnel}), fallback);
    EXPECT_TRUE(shown(Tool::ip, {"-d", "link", "show"}, {tunnel}).contains("erspan_dir egress"));
}

void put_port(Message& message) {
    message.put_u8(IFLA_BRPORT_NEIGH_SUPPRESS, 0);
    message.put_u8(IFLA_BRPORT_ISOLATED, 0);
    message.put_u8(IFLA_BRPORT_LOCKED, 1);
    message.put_u8(newer::IFLA_BRPORT_MAB, 1);
    message.put_u32(newer::IFLA_BRPORT_MCAST_N_GROUPS, 2);
    message.put_u32(newer::IFLA_BRPORT_MCAST_MAX_GROUPS, 3);
    message.put_u8(newer::IFLA_BRPORT_NEIGH_VLAN_SUPPRESS, 1);
    message.put_u32(newer::IFLA_BRPORT_BACKUP_NHID, 7);
}

TEST_F(TraitsOfLinks, ItemsOfAPort) {
    const Message port = link_of("bridge", true, put_port);
    const auto show = [&] { return details(port, "bridge_slave "); };
    const std::string first = "neigh_suppress off";
    const std::string last = " isolated off locked on";
    expect(Trait::port_neigh_vlan_suppress, show, first + last,
           first + " neigh_vlan_suppress on" + last);
    expect(Trait::port_mab, show, first + last, first + last + " mab on");
    expect(Trait::port_backup_nhid, show, first + last, first + last + " backup_nhid 7");
}

TEST_F(TraitsOfLinks, ItemsOfAPortToBridge) {
    ifinfomsg header{};
    header.ifi_family = AF_BRIDGE;
    header.ifi_index = 1;
    Message port(RTM_NEWLINK, NLM_F_MULTI, header);
    port.put_string(IFLA_IFNAME, "d1");
    put_nest(port, IFLA_PROTINFO | NLA_F_NESTED, [&] { put_port(port); });
    const auto show = [&] {
        return behind(shown(Tool::bridge, {"-d", "link", "show"}, {port}), "    ");
    };
    const std::string first = "neigh_suppress off";
    const std::string last = " isolated off locked on";
    expect(Trait::port_neigh_vlan_suppress, show, first + last,
           first + " neigh_vlan_suppress on" + last);
    expect(Trait::port_mab, show, first + last, first + last + " mab on");
    expect(Trait::port_backup_nhid, show, first + last, first + " backup_nhid 7" + last);
    expect(Trait::port_group_limits, show, first + last,
           first + last + " mcast_n_groups 2 mcast_max_groups 3");
}

TEST_F(TraitsOfLinks, ItemsOfABondAndAMacvlan) {
    const Message bond = link_of("bond", false, [](Message& message) {
        message.put_u8(IFLA_BOND_AD_LACP_RATE, 0);
        message.put_u8(newer::IFLA_BOND_COUPLED_CONTROL, 1);
        message.put_u8(IFLA_BOND_AD_SELECT, 0);
    });
    expect(
        Trait::bond_coupled_control, [&] { return details(bond, "bond "); },
        "lacp_rate slow ad_select stable", "lacp_rate slow coupled_control on ad_select stable");
    const Message macvlan = link_of("macvlan", false, [](Message& message) {
        message.put_u32(IFLA_MACVLAN_BC_QUEUE_LEN_USED, 10);
        message.put_u32(newer::IFLA_MACVLAN_BC_CUTOFF, static_cast<uint32_t>(-1));
    });
    expect(
        Trait::macvlan_bclim, [&] { return details(macvlan, "macvlan "); }, "usedbcqueuelen 10",
        "usedbcqueuelen 10 bclim -1");
}

TEST_F(TraitsOfLinks, OptionsOfAVlan) {
    Message message(RTM_NEWVLAN, 0, br_vlan_msg{});
    const size_t nest = message.begin_nest(BRIDGE_VLANDB_ENTRY);
    const bridge_vlan_info info{.flags = 0, .vid = 5};
    message.put(BRIDGE_VLANDB_ENTRY_INFO, &info, sizeof info);
    message.put_u8(BRIDGE_VLANDB_ENTRY_STATE, 3);
    message.put_u32(newer::BRIDGE_VLANDB_ENTRY_MCAST_N_GROUPS, 1);
    message.put_u32(newer::BRIDGE_VLANDB_ENTRY_MCAST_MAX_GROUPS, 2);
    message.put_u8(newer::BRIDGE_VLANDB_ENTRY_NEIGH_SUPPRESS, 1);
    message.end_nest(nest);
    const auto show = [&] {
        const std::string text = run_with([&](Context& context) {
            const Options options{.tool = Tool::bridge, .traits = traits, .details = 1};
            Printer printer(*context.out, options);
            VlanRows rows(printer, {}, "vlans");
            const VlanQuery query{context, options, *context.session.rtnl().value()};
            for (const Attribute vlan :
                 AttributeRange(attribute_bytes<br_vlan_msg>(*message.header())))
                print_vlan_options(query, printer, rows, "d1", vlan);
            printer.flush();
        });
        return behind(text, "state ");
    };
    expect(Trait::port_group_limits, show, "forwarding",
           "forwarding mcast_n_groups 1 mcast_max_groups 2");
    expect(Trait::port_neigh_vlan_suppress, show, "forwarding", "forwarding neigh_suppress on");
}

TEST_F(TraitsOfLinks, GlobalOptionsOfAVlan) {
    Message message(RTM_NEWVLAN, 0, br_vlan_msg{});
    const size_t nest = message.begin_nest(BRIDGE_VLANDB_GLOBAL_OPTIONS);
    message.put_u16(BRIDGE_VLANDB_GOPTS_ID, 5);
    message.put_u8(BRIDGE_VLANDB_GOPTS_MCAST_SNOOPING, 1);
    message.put_u16(BRIDGE_VLANDB_GOPTS_MSTI, 7);
    message.end_nest(nest);
    const auto show = [&] {
        const std::string text = run_with([&](Context& context) {
            const Options options{.tool = Tool::bridge, .traits = traits};
            Printer printer(*context.out, options);
            VlanRows rows(printer, {}, "vlans");
            const VlanQuery query{context, options, *context.session.rtnl().value()};
            for (const Attribute vlan :
                 AttributeRange(attribute_bytes<br_vlan_msg>(*message.header())))
                print_global_options(query, printer, rows, "d1", vlan);
            printer.flush();
        });
        return behind(text, "mcast_snooping ");
    };
    expect(Trait::bridge_vlan_msti, show, "1", "1 msti 7");
}

TEST_F(TraitsOfLinks, TableOfVnis) {
    Message message(RTM_NEWTUNNEL, 0, tunnel_msg{});
    for (const uint32_t vni : {200U, 300U}) {
        put_nest(message, VXLAN_VNIFILTER_ENTRY | NLA_F_NESTED, [&] {
            message.put_u32(VXLAN_VNIFILTER_ENTRY_START, vni);
            if (vni == 200) message.put_u32(VXLAN_VNIFILTER_ENTRY_END, 205);
            message.put_u32(VXLAN_VNIFILTER_ENTRY_GROUP, htonl(0x0a000001));
        });
    }
    const auto show = [&] {
        return run_with([&](Context& context) {
            const Options options{.tool = Tool::bridge, .traits = traits};
            Printer printer(*context.out, options);
            print_vnis(context, printer, "vx", attribute_bytes<tunnel_msg>(*message.header()));
            printer.flush();
        });
    };
    expect(Trait::vni_table_tight, show,
           "vx                 200-205             10.0.0.1\n"
           "                   300            10.0.0.1\n"
           "\n",
           "vx                200-205            10.0.0.1\n"
           "                  300                10.0.0.1\n");
}

TEST_F(TraitsOfLinks, MulticastDatabase) {
    br_port_msg header{};
    header.ifindex = 1;
    Message message(RTM_NEWMDB, NLM_F_MULTI, header);
    br_mdb_entry entry{};
    entry.ifindex = 1;
    entry.state = MDB_PERMANENT;
    entry.addr.proto = htons(ETH_P_IP);
    entry.addr.u.ip4 = htonl(0xef010101);
    put_nest(message, MDBA_MDB, [&] {
        put_nest(message, MDBA_MDB_ENTRY, [&] {
            put_nest(message, MDBA_MDB_ENTRY_INFO, [&] {
                message.append(&entry, sizeof entry);
                message.put_u8(MDBA_MDB_EATTR_RTPROT, 4);
                message.put_u32(newer::MDBA_MDB_EATTR_DST, htonl(0x0a000004));
                message.put_u16(newer::MDBA_MDB_EATTR_DST_PORT, 5);
                message.put_u32(newer::MDBA_MDB_EATTR_VNI, 7);
            });
        });
    });
    const auto show = [&] {
        std::string text = shown(Tool::bridge, {"-d", "mdb", "show"}, {message});
        const size_t at = text.find("permanent");
        return at == text.npos ? text : text.substr(at);
    };
    expect(Trait::mdb_protocol_without_blank, show, "permanent proto static \n",
           "permanent proto static\n");
    expect(Trait::mdb_of_vxlan, show, "permanent proto static \n",
           "permanent proto static  dst 10.0.0.4 dst_port 5 vni 7\n");
}

}  // namespace
}  // namespace nlsh
