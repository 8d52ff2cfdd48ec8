// `ip nexthop`: changes, shows and flush.
#include <fmt/format.h>

#include <vector>

#include "backend/echo/echo.h"
#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/objects/nexthop/render.h"
#include "backend/objects/nexthop/words/nexthop.h"
#include "backend/objects/nexthop/words/rows.h"
#include "backend/objects/route/encap_request.h"
#include "backend/objects/route/lookup.h"
#include "backend/render/fields.h"
#include "backend/run.h"
#include "parser/ip/newer_kernel.h"

namespace nlsh {
namespace {

// Looks up a device as `ip nexthop` does. Returns its ifindex, or the exit status after the error.
std::expected<uint32_t, int> find_nexthop_device(Context& context, const Options& options,
                                                 Channel& channel, const std::string& name) {
    return find_wanted_device(context, options, channel, name, not_a_device);
}

// A filter after the look-up of its names.
struct NexthopSelection {
    const NexthopFilter& filter;
    uint32_t ifindex = 0;
    uint32_t master = 0;

    // The dump, with the filters that the kernel has. type: RTM_GETNEXTHOP or RTM_GETNEXTHOPBUCKET.
    Message request(uint16_t type) const;
    // Whether a nexthop passes the filters that the kernel lacks.
    bool contains(const nhmsg& nexthop) const {
        return !filter.protocol || nexthop.nh_protocol == *filter.protocol;
    }
};

Message NexthopSelection::request(uint16_t type) const {
    auto header = of_family<nhmsg>(filter.family);
    Message message(type, 0, header);
    if (filter.id) message.put_u32(NHA_ID, *filter.id);
    if (ifindex != 0) message.put_u32(NHA_OIF, ifindex);
    if (filter.groups) message.put_flag(NHA_GROUPS);
    if (master != 0) message.put_u32(NHA_MASTER, master);
    if (filter.fdb) message.put_flag(NHA_FDB);
    if (filter.bucket_nexthop) {
        const size_t nest = message.begin_nest(NHA_RES_BUCKET | NLA_F_NESTED);
        message.put_u32(NHA_RES_BUCKET_NH_ID, *filter.bucket_nexthop);
        message.end_nest(nest);
    }
    return message;
}

std::expected<NexthopSelection, int> select_nexthops(Context& context, const Options& options,
                                                     Channel& channel,
                                                     const NexthopFilter& filter) {
    NexthopSelection selection{.filter = filter};
    selection.ifindex = TRY(find_nexthop_device(context, options, channel, filter.device));
    if (filter.master_is_vrf && find_vrf_table(channel, filter.master) == 0) {
        return std::unexpected(invalid_vrf(context, filter.master));
    }
    selection.master = TRY(find_nexthop_device(context, options, channel, filter.master));
    return selection;
}

void put_resilient(Message& message, const FieldValues& options) {
    if (options.empty()) return;
    const size_t nest = message.begin_nest(NHA_RES_GROUP | NLA_F_NESTED);
    put_fields(message, resilient_fields, options);
    message.end_nest(nest);
}

void put_group(Message& message, const NexthopChange& request) {
    if (!request.group.empty()) {
        std::vector<newer::NexthopGroup> members;
        members.reserve(request.group.size());
        for (const NexthopMember& member : request.group) {
            members.push_back({.id = member.id,
                               .weight = static_cast<uint8_t>(member.weight_minus_1),
                               .weight_high = static_cast<uint8_t>(member.weight_minus_1 >> 8),
                               .reserved = 0});
        }
        message.put(NHA_GROUP, members.data(), members.size() * sizeof members[0]);
    }
    put_resilient(message, request.resilient);
    if (request.group_type) message.put_u16(NHA_GROUP_TYPE, *request.group_type);
}

Message removal(uint32_t id) {
    Message message(RTM_DELNEXTHOP, 0, nhmsg{});
    message.put_u32(NHA_ID, id);
    return message;
}

Verdict remove(Channel& channel, uint32_t id) {
    Message message = removal(id);
    return channel.change(message);
}

// The number of deleted nexthops, or the exit status. A group disappears with its last member: as
// in iproute2, this prints an error but is no failure.
std::expected<size_t, int> flush_round(Context& context, Channel& channel,
                                       const NexthopSelection& selection) {
    std::vector<uint32_t> doomed;
    Message message = selection.request(RTM_GETNEXTHOP);
    const Verdict verdict = channel.dump(message, [&](const nlmsghdr& answer) {
        const auto* header = family_header<nhmsg>(answer);
        if (header == nullptr || !selection.contains(*header)) return true;
        const Attributes<NHA_MAX> attributes(attribute_bytes<nhmsg>(answer));
        if (attributes[NHA_ID]) doomed.push_back(attributes[NHA_ID].u32());
        return true;
    });
    if (!print_dump_verdict(context, verdict)) {
        print_dump_terminated(context);
        return std::unexpected(2);
    }
    if (!doomed.empty()) context.commit();
    size_t deleted = 0;
    for (const uint32_t id : doomed)
        deleted += print_verdict(context, remove(channel, id)) ? 1 : 0;
    return deleted;
}

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

void put_nexthop_statistics(Message& message, const Options& options, bool one) {
    if (!options.traits.has(Trait::nexthop_statistics) || (!one && options.statistics == 0)) return;
    uint32_t flags = 0;
    if (options.statistics > 0) flags |= newer::nexthop_dump_stats;
    if (options.statistics > 1) flags |= newer::nexthop_dump_hw_stats;
    message.put_u32(newer::NHA_OP_FLAGS, flags);
}

ExitStatus run(Context& context, const Options& options, const NexthopChange& request) {
    Channel& channel = TRY(open_channel(context, options));
    const uint32_t ifindex = TRY(find_nexthop_device(context, options, channel, request.device));
    auto header = of_family<nhmsg>(request.family);
    header.nh_protocol = request.protocol;
    header.nh_flags = request.flags;
    Message message(RTM_NEWNEXTHOP, flags_of(request.verb), header);
    if (request.id) message.put_u32(NHA_ID, *request.id);
    if (request.via) message.put(NHA_GATEWAY, request.via->span());
    if (ifindex != 0) message.put_u32(NHA_OIF, ifindex);
    put_group(message, request);
    put_encap(message, {NHA_ENCAP_TYPE, NHA_ENCAP}, request.encap);
    if (request.blackhole) message.put_flag(NHA_BLACKHOLE);
    put_fields(message, nexthop_fields, request.fields);
    if (request.hw_stats) message.put_u32(newer::NHA_HW_STATS_ENABLE, *request.hw_stats ? 1 : 0);
    return send_change(context, options, channel, message);
}

ExitStatus run(Context& context, const Options& options, const NexthopDelete& request) {
    Channel& channel = TRY(open_channel(context, options));
    Message message = removal(request.id);
    return send_change(context, options, channel, message);
}

ExitStatus run(Context& context, const Options& options, const NexthopFlush& request) {
    Channel& channel = TRY(open_channel(context, options));
    if (request.filter.id) {
        context.commit();
        return print_verdict(context, remove(channel, *request.filter.id)) ? 0 : 1;
    }
    size_t deleted = 0;
    // Delete groups first, so that none changes while its members are deleted.
    if (request.filter.empty()) {
        NexthopFilter groups = request.filter;
        groups.groups = true;
        deleted += TRY(flush_round(context, channel, {.filter = groups}));
    }
    const auto selection = TRY(select_nexthops(context, options, channel, request.filter));
    deleted += TRY(flush_round(context, channel, selection));
    context.out->write(deleted == 0 ? "Nothing to flush\n"
                                    : fmt::format("Flushed {} nexthops\n", deleted));
    return 0;
}

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
