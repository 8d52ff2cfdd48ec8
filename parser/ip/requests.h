// All requests by name, in one list: the type Request and the backend's run() overloads are made of
// it. Each is a struct in a header of its object (parser/ip/link/link.h, ...).
#pragma once

// clang-format off
#define NLSH_REQUESTS(X) \
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
    X(Monitor) \
    X(TunnelChange) \
    X(TunnelShow) \
    X(TuntapChange) \
    X(TuntapShow) \
    X(MdbChange) \
    X(MdbShow) \
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
    X(MaddressChange) \
    X(MaddressShow) \
    X(NetnsList) \
    X(NetnsListId) \
    X(NetnsSet) \
    X(NetnsFile) \
    X(NetnsIdentify) \
    X(NetnsPids) \
    X(StatsShow) \
    X(StatsSet) \
    X(LinkXstats) \
    X(LinkAfstats) \
    X(RefusedCommand)
// clang-format on
