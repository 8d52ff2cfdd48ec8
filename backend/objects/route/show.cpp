// `ip route show`.
#include <cerrno>

#include "backend/dump.h"
#include "backend/objects/route/print.h"
#include "backend/objects/route/query.h"
#include "backend/run.h"

namespace nlsh {

ExitStatus run(Context& context, const Options& options, const RouteShow& show) {
    Channel& channel = TRY(open_channel(context, options));
    auto filter = TRY(resolve_routes(context, options, channel, show));

    Message message = route_dump(filter);
    Printer printer(*context.out, options);
    DeviceNames devices(channel);
    RoutePrinter routes(context, devices, printer, filter);
    printer.begin_document();
    Verdict verdict = channel.dump(message, [&](const nlmsghdr& answer) {
        const auto* header = family_header<rtmsg>(answer);
        if (answer.nlmsg_type != RTM_NEWROUTE || header == nullptr) return true;
        const Route route{*header, Attributes<RTA_MAX>(attribute_bytes<rtmsg>(answer))};
        if (!filter.passes(route)) return true;
        return routes.print(route) && printer.flush_if_large();
    });
    if (context.fallback) return 2;
    // A namespace without IPv4 routes has no main table yet; iproute2 shows it as empty.
    const bool no_table = verdict.error == ENOENT && filter.table() == RT_TABLE_MAIN;
    if (no_table && context.has(options, Trait::words_of_5_15)) verdict = {};
    if (!verdict.ok() && printer.text_mode()) printer.flush();
    return end_dump(context, printer, verdict, 2, FailedDump::closed_last);
}

}  // namespace nlsh
