// Lookups and dumps that shows and flushes of nexthops share.
#pragma once

#include <linux/nexthop.h>

#include <cstdint>
#include <expected>

#include "backend/context.h"
#include "backend/net/attributes.h"
#include "backend/objects/nexthop/words/nexthop.h"

namespace nlsh {

// Looks up a device as `ip nexthop` does. Returns its ifindex, or the exit status after the error.
std::expected<uint32_t, int> find_nexthop_device(Context& context, const Options& options,
                                                 Channel& channel, const std::string& name);

// Asks for a group's counters, at the level of -s. Requests for one nexthop always have this
// attribute.
void put_nexthop_statistics(Message& message, const Options& options, bool one);

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
std::expected<NexthopSelection, int> select_nexthops(Context& context, const Options& options,
                                                     Channel& channel, const NexthopFilter& filter);

}  // namespace nlsh
