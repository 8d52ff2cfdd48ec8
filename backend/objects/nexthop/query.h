// Lookups and dumps that shows and flushes of nexthops share.
#pragma once

#include <linux/nexthop.h>

#include <cstdint>
#include <expected>

#include "backend/context.h"
#include "backend/net/attributes.h"
#include "backend/objects/nexthop/words/nexthop.h"

namespace nlsh {

// A device as `ip nexthop` looks for it: its ifindex, or the exit status after the error.
std::expected<uint32_t, int> find_nexthop_device(Context& context, const Options& options,
                                                 Channel& channel, const std::string& name);

// Asks for a group's counters as often as -s is said; in a request for one nexthop, also for none.
void put_nexthop_statistics(Message& message, const Options& options, bool one);

// A filter whose names have been looked up.
struct NexthopSelection {
    const NexthopFilter& filter;
    uint32_t ifindex = 0;
    uint32_t master = 0;

    // The dump, with the filters that the kernel has. type: RTM_GETNEXTHOP or RTM_GETNEXTHOPBUCKET.
    Message request(uint16_t type) const;
    // Whether it passes the filters that the kernel doesn't have.
    bool contains(const nhmsg& nexthop) const {
        return !filter.protocol || nexthop.nh_protocol == *filter.protocol;
    }
};
std::expected<NexthopSelection, int> select_nexthops(Context& context, const Options& options,
                                                     Channel& channel, const NexthopFilter& filter);

}  // namespace nlsh
