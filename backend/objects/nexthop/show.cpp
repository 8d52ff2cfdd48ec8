// `ip nexthop show|get` and `ip nexthop bucket`.
#include "backend/dump.h"
#include "backend/errors.h"
#include "backend/objects/nexthop/query.h"
#include "backend/objects/nexthop/render.h"
#include "backend/run.h"

namespace nlsh {

namespace {

// Shows one nexthop or bucket by its number.
int show_one(Context& context, const Options& options, Channel& channel, Message& message) {
    Printer printer(*context.out, options);
    DeviceNames devices(channel);
    NexthopPrinter nexthops(context, devices, printer);
    const bool bucket = message.header()->nlmsg_type == RTM_GETNEXTHOPBUCKET;
    printer.begin_document();
    const Verdict verdict = channel.get(message, [&](const nlmsghdr& answer) {
        const auto* header = family_header<nhmsg>(answer);
        if (header == nullptr) return false;
        const Nexthop nexthop{*header, answer};
        if (bucket) {
            nexthops.print_bucket(nexthop);
        } else {
            nexthops.print(nexthop);
        }
        return false;
    });
    if (context.fallback) return 2;
    if (!verdict.ok()) {
        print_verdict(context, verdict);
        return 2;
    }
    printer.end_document();
    return 0;
}

ExitStatus show_many(Context& context, const Options& options, const NexthopFilter& filter,
                     uint16_t type) {
    Channel& channel = TRY(open_channel(context, options));
    const auto selection = TRY(select_nexthops(context, options, channel, filter));
    Message message = selection.request(type);
    if (type == RTM_GETNEXTHOP) put_nexthop_statistics(message, options, false);
    Printer printer(*context.out, options);
    DeviceNames devices(channel);
    NexthopPrinter nexthops(context, devices, printer);
    printer.begin_document();
    const Verdict verdict = channel.dump(message, [&](const nlmsghdr& answer) {
        const auto* header = family_header<nhmsg>(answer);
        if (header == nullptr || !selection.contains(*header)) return true;
        const Nexthop nexthop{*header, answer};
        if (type == RTM_GETNEXTHOPBUCKET) {
            nexthops.print_bucket(nexthop);
        } else if (!nexthops.print(nexthop)) {
            return false;
        }
        return printer.flush_if_large();
    });
    if (context.fallback) return 2;
    if (!verdict.ok() && printer.text_mode()) printer.flush();
    return end_dump(context, printer, verdict, 2, FailedDump::closed_before_last_message);
}

}  // namespace

ExitStatus run(Context& context, const Options& options, const NexthopShow& request) {
    // An older kernel's answer depends on the form of the request, and so on this trait.
    context.has(options, Trait::nexthop_statistics);
    if (context.fallback) return 2;
    if (!request.filter.id) return show_many(context, options, request.filter, RTM_GETNEXTHOP);
    Channel& channel = TRY(open_channel(context, options));
    Message message(RTM_GETNEXTHOP, 0, nhmsg{});
    message.put_u32(NHA_ID, *request.filter.id);
    put_nexthop_statistics(message, options, true);
    return show_one(context, options, channel, message);
}

ExitStatus run(Context& context, const Options& options, const NexthopBucketShow& request) {
    return show_many(context, options, request.filter, RTM_GETNEXTHOPBUCKET);
}

ExitStatus run(Context& context, const Options& options, const NexthopBucketGet& request) {
    Channel& channel = TRY(open_channel(context, options));
    Message message(RTM_GETNEXTHOPBUCKET, 0, nhmsg{});
    message.put_u32(NHA_ID, request.id);
    const size_t nest = message.begin_nest(NHA_RES_BUCKET | NLA_F_NESTED);
    message.put_u16(NHA_RES_BUCKET_INDEX, request.index);
    message.end_nest(nest);
    return show_one(context, options, channel, message);
}

}  // namespace nlsh
