// ip mroute show.
#include <sys/socket.h>

#include "backend/dump.h"
#include "backend/errors.h"
#include "backend/objects/mroute/print.h"
#include "backend/objects/mroute/words/mroute.h"
#include "backend/run.h"

namespace nlsh {

ExitStatus run(Context& context, const Options& options, const MrouteShow& request) {
    Channel& channel = TRY(open_channel(context, options));
    const uint32_t input = TRY(find_wanted_device(context, options, channel, request.device));
    rtmsg header{};
    header.rtm_family = options.family == AF_INET6 ? RTNL_FAMILY_IP6MR : RTNL_FAMILY_IPMR;
    Message message(RTM_GETROUTE, 0, header);
    if (request.table) message.put_u32(RTA_TABLE, *request.table);
    Printer printer(*context.out, options);
    DeviceNames names(channel);
    printer.begin_document();
    bool others = false;
    const Verdict verdict = channel.dump(message, [&](const nlmsghdr& answer) {
        const auto* told = family_header<rtmsg>(answer);
        if (answer.nlmsg_type != RTM_NEWROUTE || told == nullptr) return true;
        // A kernel without multicast routing answers with other routes.
        others |= told->rtm_type != RTN_MULTICAST;
        if (others) return false;
        const Attributes<RTA_MAX> route(attribute_bytes<rtmsg>(answer));
        if (input != 0 && route[RTA_IIF].u32() != input) return true;
        print_multicast_route(context, printer, names, *told, route, !request.table);
        return printer.flush_if_large();
    });
    if (others) {
        if (context.fall_back("mroute: no multicast route")) return 1;
        print_error(context,
                    "Non multicast route received, kernel does support IP multicast?\n"
                    "Dump terminated\n");
        printer.end_document();
        return 1;
    }
    // The document ends even after an error.
    const bool failed = dump_failed(context, printer, verdict);
    printer.end_document();
    return failed ? 1 : 0;
}

}  // namespace nlsh
