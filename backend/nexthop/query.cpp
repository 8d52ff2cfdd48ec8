#include "backend/nexthop/query.h"

#include <fmt/format.h>

#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/route/lookup.h"

namespace nlsh {

std::expected<uint32_t, int> find_nexthop_device(Context& context, Channel& channel,
                                                 const std::string& name) {
    const uint32_t ifindex = name.empty() ? 0 : find_device(channel, name);
    if (ifindex != 0 || name.empty()) return ifindex;
    print_error(context,
                fmt::format("Error: argument \"{}\" is wrong: Device does not exist\n\n", name));
    return std::unexpected(255);
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

std::expected<NexthopSelection, int> select_nexthops(Context& context, Channel& channel,
                                                     const NexthopFilter& filter) {
    NexthopSelection selection{.filter = filter};
    const auto ifindex = find_nexthop_device(context, channel, filter.device);
    if (!ifindex) return std::unexpected(ifindex.error());
    selection.ifindex = *ifindex;
    if (filter.master_is_vrf && find_vrf_table(channel, filter.master) == 0) {
        return std::unexpected(invalid_vrf(context, filter.master));
    }
    const auto master = find_nexthop_device(context, channel, filter.master);
    if (!master) return std::unexpected(master.error());
    selection.master = *master;
    return selection;
}

}  // namespace nlsh
