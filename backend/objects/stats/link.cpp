// ip link xstats, afstats.
#include <fmt/format.h>
#include <linux/if_bridge.h>
#include <linux/if_link.h>
#include <linux/mpls.h>
#include <sys/socket.h>

#include <functional>

#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/objects/stats/counters.h"
#include "backend/objects/stats/words/stats.h"
#include "backend/run.h"

namespace nlsh {
namespace {

using PrintDevice = std::function<void(uint32_t ifindex, const Attribute&)>;

// Dumps one attribute of the statistics of all devices, or of one (device not 0).
Verdict dump_statistics(Channel& channel, Printer& printer, uint16_t attribute, uint32_t device,
                        const PrintDevice& print) {
    if_stats_msg request{};
    request.filter_mask = IFLA_STATS_FILTER_BIT(attribute);
    Message message(RTM_GETSTATS, 0, request);
    return channel.dump(message, [&](const nlmsghdr& answer) {
        const auto* header = family_header<if_stats_msg>(answer);
        if (header == nullptr || (device != 0 && header->ifindex != device)) return true;
        print(header->ifindex,
              Attributes<IFLA_STATS_MAX>(attribute_bytes<if_stats_msg>(answer))[attribute]);
        return printer.flush_if_large();
    });
}

// Prints the statistics of bridges in a message, if there are any.
void print_bridge(Printer& printer, std::string_view name, const Attribute& bridge,
                  LinkXstats::Only only) {
    if (!bridge) return;
    printer.open_object();
    printer.json_string("ifname", name);
    printer.text(fmt::format("{:<16}\n", name));
    for (const Attribute counters : AttributeRange(bridge.bytes())) {
        if (counters.type() == BRIDGE_XSTATS_MCAST && only != LinkXstats::Only::stp) {
            print_bridge_multicast(printer, counters);
        }
        if (counters.type() == BRIDGE_XSTATS_STP && only != LinkXstats::Only::multicast) {
            print_bridge_stp(printer, counters);
        }
    }
    printer.close_object();
}

// In JSON the keys stand directly in the array, without an object for each device.
void print_families(Context& context, Printer& printer, DeviceNames& names, uint32_t ifindex,
                    const Attribute& families) {
    if (!families || families.size() == 0) return;
    if (!context.needs(printer.options(), Trait::counters_in_columns)) return;
    printer.number("ifindex", {}, ifindex, ":");
    printer.string(Color::ifname, "ifname", {}, names.name(ifindex), {});
    printer.line_break();
    for (const Attribute family : AttributeRange(families.bytes())) {
        if (family.type() != AF_MPLS) context.fall_back("afstats: a family");
        const Attributes<MPLS_STATS_MAX> mpls(family);
        if (family.type() != AF_MPLS || !mpls[MPLS_STATS_LINK]) continue;
        printer.text("    mpls:");
        printer.line_break();
        if (!print_mpls_counters(printer, "        ", mpls[MPLS_STATS_LINK])) {
            context.fall_back("afstats: a wide counter");
        }
        printer.text("\n");
    }
}

}  // namespace

ExitStatus run(Context& context, const Options& options, const LinkXstats& request) {
    Channel& channel = TRY(open_channel(context, options));
    const uint32_t device = TRY(find_wanted_device(context, options, channel, request.device));
    const uint16_t type = request.slave ? IFLA_STATS_LINK_XSTATS_SLAVE : IFLA_STATS_LINK_XSTATS;
    DeviceNames names(channel);
    Printer printer(*context.out, options);
    printer.begin_document();
    const auto print = [&](uint32_t ifindex, const Attribute& xstats) {
        const Attributes<LINK_XSTATS_TYPE_MAX> types(xstats);
        print_bridge(printer, names.name(ifindex), types[LINK_XSTATS_TYPE_BRIDGE], request.only);
    };
    const Verdict verdict = dump_statistics(channel, printer, type, device, print);
    if (!verdict.ok() && context.fall_back("xstats: no dump")) return 1;
    printer.end_document();
    return 0;
}

ExitStatus run(Context& context, const Options& options, const LinkAfstats& request) {
    const bool columns = context.has(options, Trait::counters_in_columns);
    if ((options.json || columns) && !context.needs(options, Trait::words_of_6_1)) return 1;
    Channel& channel = TRY(open_channel(context, options));
    const auto device =
        find_wanted_device(context, options, channel, request.device, device_does_not_exist);
    if (!device) return 0;  // the error has been printed
    DeviceNames names(channel);
    Printer printer(*context.out, options);
    printer.begin_document();
    const auto print = [&](uint32_t ifindex, const Attribute& families) {
        print_families(context, printer, names, ifindex, families);
    };
    const Verdict verdict = dump_statistics(channel, printer, IFLA_STATS_AF_SPEC, *device, print);
    if (!verdict.ok()) context.fall_back("afstats: no dump");
    if (context.fallback) return 1;
    printer.end_document();
    return 0;
}

}  // namespace nlsh
