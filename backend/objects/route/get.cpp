// `ip route get`.
#include <arpa/inet.h>
#include <sys/socket.h>

#include "backend/errors.h"
#include "backend/objects/route/print.h"
#include "backend/run.h"
#include "parser/ip/newer_kernel.h"

namespace nlsh {
namespace {

Message request_of(const RouteGet& get, uint32_t iif, uint32_t oif) {
    auto header = of_family<rtmsg>(get.family);
    header.rtm_dst_len = get.destination.bits;
    header.rtm_src_len = get.source ? get.source->bits : uint8_t{0};
    header.rtm_tos = get.tos;
    // For IPv6 the kernel always reports the table.
    if (get.family == AF_INET) header.rtm_flags |= RTM_F_LOOKUP_TABLE;
    if (get.notify) header.rtm_flags |= RTM_F_NOTIFY;
    if (get.fib_match) header.rtm_flags |= RTM_F_FIB_MATCH;
    Message message(RTM_GETROUTE, 0, header);
    message.put(RTA_DST, get.destination.span());
    if (get.source) message.put(RTA_SRC, get.source->span());
    if (iif != 0) message.put_u32(RTA_IIF, iif);
    if (oif != 0) message.put_u32(RTA_OIF, oif);
    if (get.mark) message.put_u32(RTA_MARK, *get.mark);
    if (get.uid) message.put_u32(RTA_UID, *get.uid);
    if (get.ip_protocol) message.put_u8(RTA_IP_PROTO, *get.ip_protocol);
    if (get.source_port) message.put_u16(RTA_SPORT, htons(*get.source_port));
    if (get.destination_port) message.put_u16(RTA_DPORT, htons(*get.destination_port));
    if (get.flow_label) message.put_u32(newer::RTA_FLOWLABEL, htonl(*get.flow_label));
    return message;
}

}  // namespace

ExitStatus run(Context& context, const Options& options, const RouteGet& get) {
    Channel& channel = TRY(open_channel(context, options));
    const uint32_t iif = TRY(find_wanted_device(context, options, channel, get.iif));
    const uint32_t oif = TRY(find_wanted_device(context, options, channel, get.oif));
    Message message = request_of(get, iif, oif);
    Printer printer(*context.out, options);
    const RouteFilter everything;
    DeviceNames names(channel);
    RoutePrinter routes(context, names, printer, everything);
    bool printed = false;
    const Verdict verdict = channel.get(message, [&](const nlmsghdr& answer) {
        const auto* header = family_header<rtmsg>(answer);
        if (answer.nlmsg_type != RTM_NEWROUTE || header == nullptr) return true;
        printer.begin_document();
        printed = routes.print({*header, Attributes<RTA_MAX>(attribute_bytes<rtmsg>(answer))});
        return true;
    });
    if (context.fallback) return 2;
    if (!print_verdict(context, verdict)) return 2;
    if (printed) printer.end_document();
    return 0;
}

}  // namespace nlsh
