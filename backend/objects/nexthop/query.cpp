#include "backend/objects/nexthop/query.h"

#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/objects/route/lookup.h"
#include "parser/ip/newer_kernel.h"
#include "parser/try.h"

namespace nlsh {

std::expected<uint32_t, int> find_nexthop_device(Context& context, const Options& options,
                                                 Channel& channel, const std::string& name) {
    return find_wanted_device(context, options, channel, name, not_a_device);
}

void put_nexthop_statistics(Message& message, const Options& options, bool one) {
    if (!options.traits.has(Trait::nexthop_statistics) || (!one && options.statistics == 0)) return;
    uint32_t flags = 0;
    if (options.statistics > 0) flags |= newer::nexthop_dump_stats;
    if (options.statistics > 1) flags |= newer::nexthop_dump_hw_stats;
    message.put_u32(newer::NHA_OP_FLAGS, flags);
}

Message NexthopSelection::request(uint16_t type) const {
    nhmsg header{};
    header.nh_family = filter.family;
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

}  // namespace nlsh
