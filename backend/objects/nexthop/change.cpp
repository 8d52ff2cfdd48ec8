// `ip nexthop add|replace|del|flush`.
#include <fmt/format.h>

#include <vector>

#include "backend/dump.h"
#include "backend/echo/echo.h"
#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/objects/nexthop/query.h"
#include "backend/objects/nexthop/words/rows.h"
#include "backend/objects/route/encap_request.h"
#include "backend/render/fields.h"
#include "backend/run.h"
#include "parser/ip/newer_kernel.h"

namespace nlsh {

namespace {

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

}  // namespace

ExitStatus run(Context& context, const Options& options, const NexthopChange& request) {
    Channel& channel = TRY(open_channel(context, options));
    const uint32_t ifindex = TRY(find_nexthop_device(context, options, channel, request.device));
    nhmsg header{};
    header.nh_family = request.family;
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

}  // namespace nlsh
