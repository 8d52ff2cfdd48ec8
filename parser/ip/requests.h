// All objects and all requests by name, in two lists.
//
// Of the objects the parser makes its tables: each is an Object (parser/ip/command.h) with the name
// NAME_object beside its requests (backend/objects/link/words/link.cpp, ...). Of the requests the
// type Request and the backend's run() overloads are made: each is a struct in a header of its
// object (backend/objects/link/words/link.h, ...).
#pragma once

// clang-format off
// In the order in which iproute2 tries them; those of REAL are left to the real binary.
#define NLSH_IP_OBJECTS(NATIVE, REAL) \
    NATIVE(address) \
    NATIVE(addrlabel) \
    NATIVE(maddress) \
    NATIVE(route) \
    NATIVE(rule) \
    NATIVE(neighbor) \
    NATIVE(ntable) \
    NATIVE(link) \
    NATIVE(l2tp) \
    REAL(fou) \
    REAL(ila) \
    REAL(macsec) \
    NATIVE(tunnel) \
    NATIVE(tuntap) \
    NATIVE(token) \
    REAL(tcpmetrics) \
    REAL(tcp_metrics) \
    NATIVE(monitor) \
    REAL(xfrm) \
    NATIVE(mroute) \
    REAL(mrule) \
    NATIVE(netns) \
    NATIVE(netconf) \
    NATIVE(vrf) \
    REAL(sr) \
    NATIVE(nexthop) \
    REAL(mptcp) \
    REAL(ioam) \
    REAL(help) \
    NATIVE(stats)

#define NLSH_BRIDGE_OBJECTS(NATIVE) \
    NATIVE(bridge_link) \
    NATIVE(fdb) \
    NATIVE(mdb) \
    NATIVE(mst) \
    NATIVE(bridge_vlan) \
    NATIVE(vni) \
    NATIVE(monitor)

// All that these ask of the network namespace goes over one netlink socket (two for routes by nexthop
// objects, see needs_more_than_netlink).
#define NLSH_NETLINK_REQUESTS(X) \
    X(LinkChange) \
    X(LinkShow) \
    X(AddressChange) \
    X(AddressShow) \
    X(AddressFlush) \
    X(RouteChange) \
    X(RouteShow) \
    X(RouteGet) \
    X(RouteFlush) \
    X(RuleChange) \
    X(RuleShow) \
    X(RuleFlush) \
    X(NeighborChange) \
    X(NeighborShow) \
    X(NeighborGet) \
    X(NeighborFlush) \
    X(BridgeLinkSet) \
    X(BridgeLinkShow) \
    X(FdbChange) \
    X(FdbShow) \
    X(FdbGet) \
    X(VlanChange) \
    X(VlanSet) \
    X(VlanShow) \
    X(NexthopChange) \
    X(NexthopDelete) \
    X(NexthopShow) \
    X(NexthopFlush) \
    X(NexthopBucketShow) \
    X(NexthopBucketGet) \
    X(MdbChange) \
    X(MdbShow) \
    X(MdbFlush) \
    X(MdbGet) \
    X(MstSet) \
    X(MstShow) \
    X(VniChange) \
    X(VniShow) \
    X(FdbFlush) \
    X(AddrlabelChange) \
    X(AddrlabelShow) \
    X(AddrlabelFlush) \
    X(TokenSet) \
    X(TokenShow) \
    X(NetconfShow) \
    X(NtableChange) \
    X(NtableShow) \
    X(VrfShow) \
    X(StatsShow) \
    X(StatsSet) \
    X(LinkXstats) \
    X(LinkAfstats) \
    X(MrouteShow) \
    X(RefusedCommand)
// These need more: /proc/net, ioctls, devices, files of namespaces, sockets of their own.
#define NLSH_OTHER_REQUESTS(X) \
    X(Monitor) \
    X(TunnelChange) \
    X(TunnelShow) \
    X(TuntapChange) \
    X(TuntapShow) \
    X(MaddressChange) \
    X(MaddressShow) \
    X(NetnsList) \
    X(NetnsListId) \
    X(NetnsSet) \
    X(NetnsFile) \
    X(NetnsIdentify) \
    X(NetnsPids)
#define NLSH_REQUESTS(X) \
    NLSH_NETLINK_REQUESTS(X) \
    NLSH_OTHER_REQUESTS(X)
// clang-format on
