#include "backend/monitor/groups.h"

#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include "parser/ip/monitor/monitor.h"

namespace nlsh {
namespace {

struct Group {
    uint16_t object;
    uint8_t family;  // AF_UNSPEC: whatever family is asked for
    uint32_t number;
};

constexpr Group groups[] = {
    {monitor_link, AF_UNSPEC, RTNLGRP_LINK},
    {monitor_address, AF_INET, RTNLGRP_IPV4_IFADDR},
    {monitor_address, AF_INET6, RTNLGRP_IPV6_IFADDR},
    {monitor_route, AF_INET, RTNLGRP_IPV4_ROUTE},
    {monitor_route, AF_INET6, RTNLGRP_IPV6_ROUTE},
    {monitor_route, AF_MPLS, RTNLGRP_MPLS_ROUTE},
    {monitor_mroute, AF_INET, RTNLGRP_IPV4_MROUTE},
    {monitor_mroute, AF_INET6, RTNLGRP_IPV6_MROUTE},
    {monitor_prefix, AF_INET6, RTNLGRP_IPV6_PREFIX},
    {monitor_neighbor, AF_UNSPEC, RTNLGRP_NEIGH},
    {monitor_netconf, AF_INET, RTNLGRP_IPV4_NETCONF},
    {monitor_netconf, AF_INET6, RTNLGRP_IPV6_NETCONF},
    {monitor_netconf, AF_MPLS, RTNLGRP_MPLS_NETCONF},
    {monitor_rule, AF_INET, RTNLGRP_IPV4_RULE},
    {monitor_rule, AF_INET6, RTNLGRP_IPV6_RULE},
    {monitor_nsid, AF_UNSPEC, RTNLGRP_NSID},
    {monitor_nexthop, AF_UNSPEC, RTNLGRP_NEXTHOP},
    {monitor_stats, AF_UNSPEC, RTNLGRP_STATS},
    {monitor_fdb, AF_UNSPEC, RTNLGRP_NEIGH},
    {monitor_mdb, AF_UNSPEC, RTNLGRP_MDB},
    {monitor_vlan, AF_UNSPEC, RTNLGRP_BRVLAN},
    {monitor_vni, AF_UNSPEC, RTNLGRP_TUNNEL},
};

}  // namespace

std::vector<uint32_t> monitor_groups(uint16_t objects, uint8_t family) {
    std::vector<uint32_t> numbers;
    for (const Group& group : groups) {
        const bool family_wanted =
            family == AF_UNSPEC || group.family == AF_UNSPEC || group.family == family;
        if ((objects & group.object) != 0 && family_wanted) numbers.push_back(group.number);
    }
    return numbers;
}

}  // namespace nlsh
