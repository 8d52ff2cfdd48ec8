// ip ntable change, show.
#include <linux/neighbour.h>
#include <sys/socket.h>

#include <span>

#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/net/attributes.h"
#include "backend/net/first_datagram.h"
#include "backend/objects/ntable/words/ntable.h"
#include "backend/render/numbers.h"
#include "backend/render/printer.h"
#include "backend/run.h"

namespace nlsh {
namespace {

// One output line each.
constexpr NumberField thresholds[] = {
    {NDTA_THRESH1, "thresh1", "thresh1 "},
    {NDTA_THRESH2, "thresh2", "thresh2 "},
    {NDTA_THRESH3, "thresh3", "thresh3 "},
    {NDTA_GC_INTERVAL, "gc_interval", "gc_int "},
};
constexpr NumberField reachability[] = {
    {NDTPA_REFCNT, "refcnt", "refcnt "},
    {NDTPA_REACHABLE_TIME, "reachable", "reachable "},
    {NDTPA_BASE_REACHABLE_TIME, "base_reachable", "base_reachable "},
    {NDTPA_RETRANS_TIME, "retrans", "retrans "},
};
constexpr NumberField staleness[] = {
    {NDTPA_GC_STALETIME, "gc_stale", "gc_stale "},
    {NDTPA_DELAY_PROBE_TIME, "delay_probe", "delay_probe "},
    {NDTPA_QUEUE_LEN, "queue", "queue "},
};
constexpr NumberField probes[] = {
    {NDTPA_APP_PROBES, "app_probes", "app_probes "},
    {NDTPA_UCAST_PROBES, "ucast_probes", "ucast_probes "},
    {NDTPA_MCAST_PROBES, "mcast_probes", "mcast_probes "},
    {NDTPA_MCAST_REPROBES, "mcast_reprobes", "mcast_reprobes "},  // newer builds
};
constexpr NumberField delays[] = {
    {NDTPA_ANYCAST_DELAY, "anycast_delay", "anycast_delay "},
    {NDTPA_PROXY_DELAY, "proxy_delay", "proxy_delay "},
    {NDTPA_PROXY_QLEN, "proxy_queue", "proxy_queue "},
    {NDTPA_LOCKTIME, "locktime", "locktime "},
};

template <size_t Max>
void print_line(Printer& printer, const Attributes<Max>& attributes,
                std::span<const NumberField> fields) {
    printer.text("    ");
    print_numbers(printer, attributes, fields);
    printer.line_break();
}

void print_table(Printer& printer, DeviceNames& names, std::string_view family,
                 const Attributes<NDTA_MAX>& table, const Attributes<NDTPA_MAX>& parameters,
                 bool reprobes) {
    printer.open_object();
    printer.string("family", {}, family, " ");
    if (table[NDTA_NAME]) printer.string("name", {}, table[NDTA_NAME].string(), " ");
    printer.line_break();
    if (const Attribute device = parameters[NDTPA_IFINDEX]) {
        printer.text("    ");
        printer.string(Color::ifname, "dev", "dev ", names.name(device.u32()), " ");
        printer.line_break();
    }
    if (table[NDTA_THRESH1] || table[NDTA_GC_INTERVAL])
        print_line<NDTA_MAX>(printer, table, thresholds);
    if (table[NDTA_PARMS]) {
        for (const std::span<const NumberField> line :
             {std::span<const NumberField>(reachability), std::span<const NumberField>(staleness),
              std::span<const NumberField>(probes).first(std::size(probes) - !reprobes),
              std::span<const NumberField>(delays)}) {
            print_line<NDTPA_MAX>(printer, parameters, line);
        }
    }
    printer.text("\n");
    printer.close_object();
}

void put_values(Message& message, const NtableChange& request, bool parameters) {
    for (const NtableValue& value : request.values) {
        if (value.parameter != parameters) continue;
        message.put_number(value.type, value.value, value.wide ? 8 : 4);
    }
}

int invalid_table_device(Context& context, const Options& options, std::string_view name) {
    return wrong_argument(context, options, name, "\"DEV\" is invalid");
}

}  // namespace

ExitStatus run(Context& context, const Options& options, const NtableChange& request) {
    Channel& channel = TRY(open_channel(context, options));
    const uint32_t device = TRY(find_wanted_device(context, options, channel, request.device));
    auto header = of_family<ndtmsg>(options.family);
    Message message(RTM_SETNEIGHTBL, NLM_F_REPLACE, header);
    message.put_string(NDTA_NAME, request.name);
    put_values(message, request, false);
    const size_t nest = message.begin_nest(NDTA_PARMS);
    if (device != 0) message.put_u32(NDTPA_IFINDEX, device);
    put_values(message, request, true);
    message.end_nest(nest);
    return send_unechoed(context, options, channel, message);
}

ExitStatus run(Context& context, const Options& options, const NtableShow& request) {
    Channel& channel = TRY(open_channel(context, options));
    const uint32_t device =
        TRY(find_wanted_device(context, options, channel, request.device, invalid_table_device));
    Message message(RTM_GETNEIGHTBL, 0, of_family<ndtmsg>(options.family));
    DeviceNames names(channel);
    Printer printer(*context.out, options);
    printer.begin_document();
    // The kernel repeats a table in a second datagram, and omits devices.
    FirstDatagram datagram;
    const bool reprobes = context.has(options, Trait::ntable_mcast_reprobes);
    const Verdict verdict = channel.dump(message, [&](const nlmsghdr& answer) {
        const auto* table = family_header<ndtmsg>(answer);
        if (answer.nlmsg_type != RTM_NEWNEIGHTBL || table == nullptr) return true;
        if (!datagram.holds(answer)) context.fall_back("ntable: more than a datagram");
        if (options.family != AF_UNSPEC && table->ndtm_family != options.family) return true;
        const Attributes<NDTA_MAX> attributes(attribute_bytes<ndtmsg>(answer));
        const Attributes<NDTPA_MAX> parameters(attributes[NDTA_PARMS]);
        if (device != 0 && parameters[NDTPA_IFINDEX].u32() != device) return true;
        if (!request.name.empty() && attributes[NDTA_NAME].string() != request.name) return true;
        const bool inet = table->ndtm_family == AF_INET;
        if (!inet && table->ndtm_family != AF_INET6) context.fall_back("ntable: family");
        print_table(printer, names, inet ? "inet" : "inet6", attributes, parameters, reprobes);
        return printer.flush_if_large() && !context.fallback;
    });
    if (context.fallback) return 1;
    return end_dump(context, printer, verdict, 1);
}

}  // namespace nlsh
