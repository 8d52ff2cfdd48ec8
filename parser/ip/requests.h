// The registry: all objects of ip and bridge, a line each, with their requests.
//
// The folder backend/objects/NAME has the rest. NAME_object is its row (parser/ip/command.h):
// words, verbs, what they read. A request is a struct there, with an overload of run()
// (backend/run.h).
#pragma once

// clang-format off
// In the order in which iproute2 tries them. LEFT: the object is left to the real binary.
// NETLINK: all that a request asks of the network namespace goes over one netlink socket (two for
// routes by nexthop objects), so that any session can run it. OTHER: it needs more: /proc/net,
// ioctls, devices, files of namespaces, sockets of its own.
#define NLSH_OBJECTS(IP, BRIDGE, LEFT, NETLINK, OTHER) \
    IP(address, NETLINK(AddressChange) NETLINK(AddressShow) NETLINK(AddressFlush)) \
    IP(addrlabel, NETLINK(AddrlabelChange) NETLINK(AddrlabelShow) NETLINK(AddrlabelFlush)) \
    IP(maddress, OTHER(MaddressChange) OTHER(MaddressShow)) \
    IP(route, NETLINK(RouteChange) NETLINK(RouteShow) NETLINK(RouteGet) NETLINK(RouteFlush) \
              OTHER(RouteFlushCache)) \
    IP(rule, NETLINK(RuleChange) NETLINK(RuleShow) NETLINK(RuleFlush)) \
    IP(neighbor, NETLINK(NeighborChange) NETLINK(NeighborShow) NETLINK(NeighborGet) \
                 NETLINK(NeighborFlush)) \
    IP(ntable, NETLINK(NtableChange) NETLINK(NtableShow)) \
    IP(link, NETLINK(LinkChange) NETLINK(LinkShow) NETLINK(LinkXstats) NETLINK(LinkAfstats)) \
    IP(l2tp, ) \
    LEFT(fou) \
    LEFT(ila) \
    LEFT(macsec) \
    IP(tunnel, OTHER(TunnelChange) OTHER(TunnelShow)) \
    IP(tuntap, OTHER(TuntapChange) OTHER(TuntapShow)) \
    IP(token, NETLINK(TokenSet) NETLINK(TokenShow)) \
    LEFT(tcpmetrics) \
    LEFT(tcp_metrics) \
    IP(monitor, OTHER(Monitor)) \
    LEFT(xfrm) \
    IP(mroute, NETLINK(MrouteShow)) \
    LEFT(mrule) \
    IP(netns, OTHER(NetnsList) OTHER(NetnsListId) OTHER(NetnsSet) OTHER(NetnsFile) \
              OTHER(NetnsIdentify) OTHER(NetnsPids)) \
    IP(netconf, NETLINK(NetconfShow)) \
    IP(vrf, NETLINK(VrfShow)) \
    LEFT(sr) \
    IP(nexthop, NETLINK(NexthopChange) NETLINK(NexthopDelete) NETLINK(NexthopShow) \
                NETLINK(NexthopFlush) NETLINK(NexthopBucketShow) NETLINK(NexthopBucketGet)) \
    LEFT(mptcp) \
    LEFT(ioam) \
    LEFT(help) \
    IP(stats, NETLINK(StatsShow) NETLINK(StatsSet)) \
    BRIDGE(bridge_link, NETLINK(BridgeLinkSet) NETLINK(BridgeLinkShow)) \
    BRIDGE(fdb, NETLINK(FdbChange) NETLINK(FdbShow) NETLINK(FdbGet) NETLINK(FdbFlush)) \
    BRIDGE(mdb, NETLINK(MdbChange) NETLINK(MdbShow) NETLINK(MdbFlush) NETLINK(MdbGet)) \
    BRIDGE(mst, NETLINK(MstSet) NETLINK(MstShow)) \
    BRIDGE(bridge_vlan, NETLINK(VlanChange) NETLINK(VlanSet) NETLINK(VlanShow)) \
    BRIDGE(vni, NETLINK(VniChange) NETLINK(VniShow)) \
    BRIDGE(monitor, )
// clang-format on

#define NLSH_NOTHING(...)
#define NLSH_THEIRS(NAME, ...) __VA_ARGS__
// X(REQUEST) for each request that needs only a netlink socket. RefusedCommand belongs to all
// objects.
#define NLSH_NETLINK_REQUESTS(X) \
    NLSH_OBJECTS(NLSH_THEIRS, NLSH_THEIRS, NLSH_NOTHING, X, NLSH_NOTHING) X(RefusedCommand)
#define NLSH_REQUESTS(X) \
    NLSH_OBJECTS(NLSH_THEIRS, NLSH_THEIRS, NLSH_NOTHING, X, X) X(RefusedCommand)
