// ip stats show, set.
#include <linux/if_bridge.h>
#include <linux/if_link.h>
#include <linux/mpls.h>
#include <sys/socket.h>

#include <iterator>

#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/net/first_datagram.h"
#include "backend/objects/link/statistics.h"
#include "backend/objects/stats/counters.h"
#include "backend/objects/stats/words/stats.h"
#include "backend/run.h"

namespace nlsh {
namespace {

using Suite = StatsSuite;
using StatsAttributes = Attributes<IFLA_STATS_MAX>;

// By StatsSuite: its attribute, and its bit within that attribute.
struct Source {
    uint16_t attribute;
    uint16_t inner = 0;
};
constexpr Source sources[] = {
    {IFLA_STATS_AF_SPEC},
    {IFLA_STATS_LINK_64},
    {IFLA_STATS_LINK_OFFLOAD_XSTATS, IFLA_OFFLOAD_XSTATS_L3_STATS},
    {IFLA_STATS_LINK_OFFLOAD_XSTATS, IFLA_OFFLOAD_XSTATS_HW_S_INFO},
    {IFLA_STATS_LINK_OFFLOAD_XSTATS, IFLA_OFFLOAD_XSTATS_CPU_HIT},
    {IFLA_STATS_LINK_XSTATS_SLAVE},
    {IFLA_STATS_LINK_XSTATS},
    {IFLA_STATS_LINK_XSTATS_SLAVE, BRIDGE_XSTATS_VLAN},
    {IFLA_STATS_LINK_XSTATS_SLAVE, BRIDGE_XSTATS_MCAST},
    {IFLA_STATS_LINK_XSTATS_SLAVE, BRIDGE_XSTATS_STP},
    {IFLA_STATS_LINK_XSTATS, BRIDGE_XSTATS_VLAN},
    {IFLA_STATS_LINK_XSTATS, BRIDGE_XSTATS_MCAST},
    {IFLA_STATS_LINK_XSTATS, BRIDGE_XSTATS_STP},
};
static_assert(std::size(sources) == std::size(stats_names));

class StatsPrinter {
  public:
    StatsPrinter(Context& context, Printer& printer, DeviceNames& names)
        : context_(context), printer_(printer), names_(names) {}

    void print(const nlmsghdr& message, StatsSuites suites);

  private:
    void head(uint32_t ifindex, const StatsName& name);
    void body(Suite suite, const Source& source, const StatsAttributes& stats);
    void mpls(const Attribute& families);
    void link(const Attribute& counters);
    void offload(Suite suite, const Attribute& nest);
    void bond(const Attribute& types);
    void bridge(uint16_t wanted, const Attribute& types);
    void wide() { context_.fall_back("stats: a wide counter"); }

    Context& context_;
    Printer& printer_;
    DeviceNames& names_;
};

void StatsPrinter::head(uint32_t ifindex, const StatsName& name) {
    printer_.number("ifindex", {}, ifindex, ":");
    printer_.paint(Color::ifname);
    printer_.string("ifname", " ", names_.name(ifindex), ":");
    printer_.unpaint(Color::ifname);
    printer_.string("group", " group ", name.group, {});
    if (*name.subgroup != 0) printer_.string("subgroup", " subgroup ", name.subgroup, {});
    if (*name.suite != 0) printer_.string("suite", " suite ", name.suite, {});
}

void StatsPrinter::mpls(const Attribute& families) {
    printer_.line_break();
    const Attributes<AF_MPLS> by_family(families);
    const Attributes<MPLS_STATS_MAX> counters(by_family[AF_MPLS]);
    if (!counters[MPLS_STATS_LINK]) return;
    printer_.open_object("mpls_stats");
    if (!print_mpls_counters(printer_, "    ", counters[MPLS_STATS_LINK])) wide();
    printer_.close_object();
    printer_.line_break();
}

void StatsPrinter::link(const Attribute& counters) {
    printer_.line_break();
    if (!counters) return;
    print_link_counters(printer_, counters.as<rtnl_link_stats64>());
    printer_.line_break();
}

void StatsPrinter::offload(Suite suite, const Attribute& nest) {
    const Attributes<IFLA_OFFLOAD_XSTATS_MAX> offload(nest);
    const Attributes<IFLA_OFFLOAD_XSTATS_MAX> suites(offload[IFLA_OFFLOAD_XSTATS_HW_S_INFO]);
    const Attribute l3 = suites[IFLA_OFFLOAD_XSTATS_L3_STATS];
    if (suite == Suite::cpu_hit) {
        printer_.line_break();
        if (const Attribute counters = offload[IFLA_OFFLOAD_XSTATS_CPU_HIT]) {
            print_link_counters(printer_, counters.as<rtnl_link_stats64>());
        }
        printer_.line_break();
        return;
    }
    if (suite == Suite::hardware) {
        printer_.line_break();
        if (!l3) return;
        printer_.open_object("info");
        printer_.open_object("l3_stats");
        printer_.text("    l3_stats");
        print_hardware_state(printer_, l3);
        printer_.close_object();
        printer_.close_object();
        printer_.line_break();
        return;
    }
    if (l3) {
        printer_.open_object("info");
        print_hardware_state(printer_, l3);
        printer_.close_object();
    }
    printer_.line_break();
    const Attribute counters = offload[IFLA_OFFLOAD_XSTATS_L3_STATS];
    if (!counters) return;
    const auto s = counters.as<rtnl_hw_stats64>();
    printer_.open_object("stats64");
    if (!print_counter_table(printer_, "    ", s, {"mcast", "multicast", s.multicast})) wide();
    printer_.close_object();
    printer_.line_break();
}

void StatsPrinter::bond(const Attribute& types) {
    printer_.line_break();
    // iproute2 6.1.0 crashes on them.
    if (Attributes<LINK_XSTATS_TYPE_MAX>(types)[LINK_XSTATS_TYPE_BOND]) {
        context_.fall_back("stats of a bond");
    }
}

void StatsPrinter::bridge(uint16_t wanted, const Attribute& types) {
    printer_.line_break();
    const Attributes<LINK_XSTATS_TYPE_MAX> by_type(types);
    if (wanted == BRIDGE_XSTATS_VLAN) {
        if (!print_bridge_vlans(printer_, by_type[LINK_XSTATS_TYPE_BRIDGE]))
            context_.fall_back("stats of VLANs");
        return;
    }
    const Attributes<BRIDGE_XSTATS_MAX> counters(by_type[LINK_XSTATS_TYPE_BRIDGE]);
    if (!counters[wanted]) return;
    if (wanted == BRIDGE_XSTATS_MCAST) {
        print_bridge_multicast(printer_, counters[wanted]);
    } else {
        print_bridge_stp(printer_, counters[wanted]);
    }
    printer_.line_break();
}

void StatsPrinter::body(Suite suite, const Source& source, const StatsAttributes& stats) {
    const Attribute attribute = stats[source.attribute];
    switch (suite) {
        case Suite::mpls:
            return mpls(attribute);
        case Suite::link:
            return link(attribute);
        case Suite::l3:
        case Suite::hardware:
        case Suite::cpu_hit:
            return offload(suite, attribute);
        case Suite::slave_lacp:
        case Suite::lacp:
            return bond(attribute);
        default:
            return bridge(source.inner, attribute);
    }
}

void StatsPrinter::print(const nlmsghdr& message, StatsSuites suites) {
    const auto* header = family_header<if_stats_msg>(message);
    if (message.nlmsg_type != RTM_NEWSTATS || header == nullptr) return;
    const StatsAttributes stats(attribute_bytes<if_stats_msg>(message));
    for (size_t i = 0; i < std::size(sources); ++i) {
        const auto suite = static_cast<Suite>(i);
        if (!contains(suites, suite)) continue;
        printer_.open_object();
        head(header->ifindex, stats_names[i]);
        body(suite, sources[i], stats);
        printer_.close_object();
    }
}

// Asks for the suites' attributes; of the offloaded ones, only for the wanted bits.
Message get_request(StatsSuites suites, uint32_t ifindex) {
    constexpr StatsSuites all_offloaded = 1U << static_cast<unsigned>(Suite::l3) |
                                          1U << static_cast<unsigned>(Suite::hardware) |
                                          1U << static_cast<unsigned>(Suite::cpu_hit);
    if_stats_msg header{};
    header.ifindex = ifindex;
    uint32_t offloaded = 0;
    for (size_t i = 0; i < std::size(sources); ++i) {
        if (!contains(suites, static_cast<Suite>(i))) continue;
        header.filter_mask |= IFLA_STATS_FILTER_BIT(sources[i].attribute);
        if ((all_offloaded >> i & 1) != 0) offloaded |= 1U << (sources[i].inner - 1);
    }
    // iproute2 first prints whether hardware counts.
    if (contains(suites, Suite::l3)) offloaded |= 1U << (IFLA_OFFLOAD_XSTATS_HW_S_INFO - 1);
    Message message(RTM_GETSTATS, 0, header);
    if (offloaded != 0 && (suites & all_offloaded) != all_offloaded) {
        const size_t nest = message.begin_nest(NLA_F_NESTED | IFLA_STATS_GET_FILTERS);
        message.put_u32(IFLA_STATS_LINK_OFFLOAD_XSTATS, offloaded);
        message.end_nest(nest);
    }
    return message;
}

}  // namespace

ExitStatus run(Context& context, const Options& options, const StatsShow& request) {
    Channel& channel = TRY(open_channel(context, options));
    const uint32_t device = TRY(find_wanted_device(context, options, channel, request.device));
    Message message = get_request(request.suites, device);
    DeviceNames names(channel);
    Printer printer(*context.out, options);
    StatsPrinter stats(context, printer, names);
    printer.begin_document();
    // iproute2's line breaks depend on the datagrams among which the kernel divides a device's
    // statistics. So nlsh can print only what fits into one.
    FirstDatagram datagram;
    const auto print = [&](const nlmsghdr& answer) {
        if (device == 0 && !datagram.holds(answer))
            context.fall_back("stats: more than a datagram");
        stats.print(answer, request.suites);
        if (device == 0) printer.line_break();
        return printer.flush_if_large() && !context.fallback;
    };
    const Verdict verdict =
        device != 0 ? channel.get(message, print) : channel.dump(message, print);
    if (!verdict.ok()) context.fall_back("stats: refused");
    if (context.fallback) return 1;
    printer.end_document();
    return 0;
}

ExitStatus run(Context& context, const Options& options, const StatsSet& request) {
    Channel& channel = TRY(open_channel(context, options));
    if_stats_msg header{};
    header.ifindex = TRY(require_device(context, options, channel, request.device));
    Message message(RTM_SETSTATS, 0, header);
    message.put_u8(IFLA_STATS_SET_OFFLOAD_XSTATS_L3_STATS, request.on ? 1 : 0);
    return send_unechoed(context, options, channel, message);
}

}  // namespace nlsh
