// What shows of addresses, routes, rules, nexthops and neighbours, and a monitor, print for
// iproute2 6.1.0 and 6.15.0, by trait. A line falls back if nlsh doesn't know whether the build has
// the trait.
#include "backend/traits_test.h"

#include <arpa/inet.h>
#include <linux/fib_rules.h>
#include <linux/lwtunnel.h>
#include <linux/neighbour.h>
#include <linux/nexthop.h>
#include <sys/socket.h>

#include "backend/objects/address/render.h"
#include "backend/objects/monitor/monitor.h"
#include "parser/ip/newer_kernel.h"

namespace nlsh {
namespace {

TEST_F(TraitsOfShows, ProtocolOfAnAddress) {
    const auto show = [&](uint8_t protocol, bool json) {
        return [this, protocol, json] {
            return run_with([&](Context& context) {
                ifaddrmsg header{};
                header.ifa_family = AF_INET;
                header.ifa_flags = IFA_F_PERMANENT;
                Message message(RTM_NEWADDR, 0, header);
                message.put_string(IFA_LABEL, "d1");
                message.put_u8(IFA_PROTO, protocol);
                const Options options{.traits = traits, .json = json};
                Printer printer(*context.out, options);
                DeviceNames devices(*context.session.rtnl().value());
                printer.open_object();
                const bool exact =
                    AddressRenderer{.printer = printer, .devices = devices, .names = context.names}
                        .print(Address(*message.header()));
                printer.close_object();
                printer.flush();
                if (!exact) context.fall_back("address");
            });
        };
    };
    const Trait trait = Trait::address_protocol;
    expect(trait, show(2, false), "    inet scope global d1\n",
           "    inet scope global proto kernel_ra d1\n");
    expect(trait, show(18, false), "    inet scope global d1\n",
           "    inet scope global proto 0x12 d1\n");
    expect(trait, show(5, true), R"({"family":"inet","scope":"global","label":"d1"})",
           R"({"family":"inet","scope":"global","protocol":"0x5","label":"d1"})");
}

Message route_to_10(const std::function<void(Message&)>& fill) {
    rtmsg header{};
    header.rtm_family = AF_INET;
    header.rtm_dst_len = 8;
    header.rtm_table = RT_TABLE_MAIN;
    header.rtm_type = RTN_UNICAST;
    header.rtm_protocol = RTPROT_BOOT;
    Message route(RTM_NEWROUTE, NLM_F_MULTI, header);
    route.put_u32(RTA_DST, htonl(0x0a000000));
    route.put_u32(RTA_TABLE, RT_TABLE_MAIN);
    fill(route);
    return route;
}

TEST_F(TraitsOfShows, EncapsulationOfARoute) {
    const Message route = route_to_10([](Message& message) {
        message.put_u16(RTA_ENCAP_TYPE, LWTUNNEL_ENCAP_IP);
        put_nest(message, RTA_ENCAP, [&] { message.put_u8(LWTUNNEL_IP_TTL, 5); });
    });
    expect(
        Trait::encap_as_object, [&] { return shown(Tool::ip, {"-j", "route", "show"}, {route}); },
        R"([{"dst":"10.0.0.0/8","encap":"ip","ttl":5,"flags":[]}])"
        "\n",
        R"([{"dst":"10.0.0.0/8","encap":{"encap_type":"ip","ttl":5},"flags":[]}])"
        "\n");
}

TEST_F(TraitsOfShows, RoutesByADevice) {
    const Message route = route_to_10([](Message& message) {
        put_nest(message, RTA_MULTIPATH, [&] {
            for (const int ifindex : {2, 3}) {
                const rtnexthop hop{.rtnh_len = sizeof hop,
                                    .rtnh_flags = 0,
                                    .rtnh_hops = 0,
                                    .rtnh_ifindex = ifindex};
                message.append(&hop, sizeof hop);
            }
        });
    });
    expect(
        Trait::route_devices_of_hops,
        [&] { return shown(Tool::ip, {"route", "show", "dev", "d3"}, {route}); }, "",
        "10.0.0.0/8 \n\tnexthop dev d2 weight 1 \n\tnexthop dev d3 weight 1 \n");
}

TEST_F(TraitsOfShows, RoutesAfterAnError) {
    nlmsgerr error{};
    error.error = -ENOENT;
    expect(
        Trait::json_closed_after_error,
        [&] {
            return shown(Tool::ip, {"-j", "route", "show", "table", "77"},
                         {Message(NLMSG_ERROR, 0, error)});
        },
        "[RTNETLINK answers: No such file or directory\nDump terminated\n",
        "[]\nRTNETLINK answers: No such file or directory\nDump terminated\n");
}

TEST_F(TraitsOfShows, NeighborAskedFor) {
    ndmsg header{};
    header.ndm_family = AF_INET;
    header.ndm_ifindex = 1;
    Message neighbor(RTM_NEWNEIGH, 0, header);
    neighbor.put_u32(NDA_DST, htonl(0x0a000009));
    expect(
        Trait::neighbor_get_json,
        [&] {
            return shown(Tool::ip, {"-j", "neigh", "get", "10.0.0.9", "dev", "d1"}, {neighbor});
        },
        "10.0.0.9 dev d1 \n", "[{\"dst\":\"10.0.0.9\",\"dev\":\"d1\"}]\n");
}

Message rule_with(const std::function<void(Message&)>& fill) {
    fib_rule_hdr header{};
    header.family = AF_INET;
    header.action = FR_ACT_TO_TBL;
    Message rule(RTM_NEWRULE, NLM_F_MULTI, header);
    rule.put_u32(FRA_PRIORITY, 5);
    rule.put_u32(FRA_TABLE, 7);
    fill(rule);
    return rule;
}

TEST_F(TraitsOfShows, MasksOfARulesPorts) {
    const auto masked = [](uint16_t mask) {
        return rule_with([mask](Message& message) {
            const fib_rule_port_range port{.start = 80, .end = 80};
            message.put(FRA_SPORT_RANGE, &port, sizeof port);
            message.put_u16(newer::FRA_SPORT_MASK, mask);
        });
    };
    const auto show = [&](uint16_t mask, Line words) {
        words.insert(words.end(), {"rule", "show"});
        return [&, mask, words] { return shown(Tool::ip, words, {masked(mask)}); };
    };
    const Trait trait = Trait::rule_port_masks;
    expect(trait, show(0xffff, {}), "5:\tfrom all sport 80 lookup 7\n",
           "5:\tfrom all sport 80 lookup 7\n");
    expect(trait, show(0xfff0, {}), "5:\tfrom all sport 80 lookup 7\n",
           "5:\tfrom all sport 0x50/0xfff0 lookup 7\n");
    expect(trait, show(0xffff, {"-j"}),
           R"([{"priority":5,"src":"all","sport":80,"table":"7"}])"
           "\n",
           R"([{"priority":5,"src":"all","sport":80,"sport_mask":"0xffff","table":"7"}])"
           "\n");
}

TEST_F(TraitsOfShows, DscpAndFlowLabelOfARule) {
    const Message rule = rule_with([](Message& message) {
        message.put_u8(newer::FRA_DSCP, 4);
        message.put_u8(newer::FRA_DSCP_MASK, 0x3c);
        message.put_u32(newer::FRA_FLOWLABEL, htonl(0x1234));
        message.put_u32(newer::FRA_FLOWLABEL_MASK, htonl(0xfffff));
    });
    const auto show = [&](Line words) {
        words.insert(words.end(), {"rule", "show"});
        return [&, words] { return shown(Tool::ip, words, {rule}); };
    };
    const std::string before = "5:\tfrom all lookup 7";
    expect(Trait::rule_dscp, show({}), before + "\n", before + " dscp 0x4/0x3c\n");
    expect(Trait::rule_flowlabel, show({}), before + "\n", before + " flowlabel 0x1234\n");
    expect(Trait::rule_dscp, show({"-j"}), "[{\"priority\":5,\"src\":\"all\",\"table\":\"7\"}]\n",
           R"([{"priority":5,"src":"all","table":"7","dscp":"4","dscp_mask":"0x3c"}])"
           "\n");
}

Message group_of_nexthops() {
    Message group(RTM_NEWNEXTHOP, NLM_F_MULTI, nhmsg{});
    group.put_u32(NHA_ID, 2);
    nexthop_grp member{};
    member.id = 1;
    group.put(NHA_GROUP, &member, sizeof member);
    group.put_u32(newer::NHA_HW_STATS_ENABLE, 1);
    put_nest(group, newer::NHA_GROUP_STATS, [&] {
        put_nest(group, newer::NHA_GROUP_STATS_ENTRY, [&] {
            group.put_u32(newer::NHA_GROUP_STATS_ENTRY_ID, 1);
            group.put_u64(newer::NHA_GROUP_STATS_ENTRY_PACKETS, 9);
        });
    });
    return group;
}

TEST_F(TraitsOfShows, CountersOfAGroup) {
    const Message group = group_of_nexthops();
    expect(
        Trait::nexthop_statistics,
        [&] { return shown(Tool::ip, {"-s", "nexthop", "show"}, {group}); }, "id 2 group 1 \n",
        "id 2 group 1 hw_stats on used off \n  stats:\n    id 1 packets 9\n");
    expect(
        Trait::nexthop_statistics,
        [&] { return shown(Tool::ip, {"-s", "-j", "nexthop", "show"}, {group}); },
        R"([{"id":2,"group":[{"id":1}],"flags":[]}])"
        "\n",
        R"([{"id":2,"group":[{"id":1}],"flags":[],"hw_stats":{"enabled":true,"used":false},)"
        R"("group_stats":[{"id":1,"packets":9}]}])"
        "\n");
}

// NHA_OP_FLAGS of the last request; nullopt: it has none.
std::optional<uint32_t> operation_flags(const KernelScript& kernel) {
    const auto& request = *reinterpret_cast<const nlmsghdr*>(kernel.sent.back().data());
    const Attributes<newer::nexthop_max> attributes(attribute_bytes<nhmsg>(request));
    const Attribute flags = attributes[newer::NHA_OP_FLAGS];
    return flags ? std::optional(flags.u32()) : std::nullopt;
}

TEST_F(TraitsOfShows, CountersOfAGroupAskedFor) {
    const auto asked = [&](const Line& words) {
        shown(Tool::ip, words, {group_of_nexthops()});
        return operation_flags(kernel);
    };
    traits = iproute2_6_1();
    EXPECT_EQ(asked({"-s", "nexthop", "show", "id", "2"}), std::nullopt);
    traits.set(Trait::nexthop_statistics, true);
    EXPECT_EQ(asked({"nexthop", "show", "id", "2"}), 0U);
    EXPECT_EQ(asked({"-s", "nexthop", "show", "id", "2"}), 1U);
    EXPECT_EQ(asked({"-s", "-s", "nexthop", "show", "id", "2"}), 3U);
    EXPECT_EQ(asked({"nexthop", "show"}), std::nullopt);
    EXPECT_EQ(asked({"-s", "nexthop", "show"}), 1U);
}

TEST_F(TraitsOfShows, WeightsOf16Bits) {
    Message group(RTM_NEWNEXTHOP, NLM_F_MULTI, nhmsg{});
    group.put_u32(NHA_ID, 2);
    const uint8_t member[sizeof(nexthop_grp)] = {1, 0, 0, 0, 0x2b, 1};
    group.put(NHA_GROUP, member, sizeof member);
    expect(
        Trait::wide_nexthop_weights, [&] { return shown(Tool::ip, {"nexthop", "show"}, {group}); },
        "id 2 group 1,44 \n", "id 2 group 1,300 \n");
}

TEST_F(TraitsOfShows, JoinedAddresses) {
    const auto heard = [&](uint16_t type, uint16_t attribute) {
        return run_with([&](Context& context) {
            ifaddrmsg header{};
            header.ifa_family = AF_INET;
            header.ifa_index = 1;
            header.ifa_flags = IFA_F_PERMANENT;
            Message message(type, 0, header);
            message.put_u32(attribute, htonl(0xe0000001));
            const Options options{.traits = traits};
            const Monitor monitor{.labels = true};
            MonitorPrinter printer(context, options, *context.session.rtnl().value(), monitor, 0);
            printer.print(*message.header(), -1);
        });
    };
    traits = iproute2_6_15();
    EXPECT_EQ(heard(newer::RTM_NEWMULTICAST, IFA_MULTICAST),
              "[ADDR]1: d1    inet mcast 224.0.0.1 scope global \n");
    EXPECT_EQ(heard(newer::RTM_DELANYCAST, IFA_ANYCAST),
              "[ADDR]Deleted 1: d1    inet any 224.0.0.1 scope global \n");
    traits = iproute2_6_1();
    EXPECT_EQ(heard(newer::RTM_NEWMULTICAST, IFA_MULTICAST),
              "Unknown message: type=0x00000038(56) flags=0x00000001(1) len=0x00000020(32)\n");
}

}  // namespace
}  // namespace nlsh
