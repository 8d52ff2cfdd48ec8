// Runs one typed request: netlink out, text or JSON back. Returns the exit status of ip or bridge.
#pragma once

#include "backend/context.h"
#include "parser/ip/request.h"

namespace nlsh {

int run(Context& context, const Command& command);

// One overload for each request, beside its object (backend/link/change.cpp, …).
int run(Context& context, const Options& options, const LinkChange& request);
int run(Context& context, const Options& options, const LinkShow& request);
int run(Context& context, const Options& options, const AddressChange& request);
int run(Context& context, const Options& options, const AddressShow& request);
int run(Context& context, const Options& options, const AddressFlush& request);
int run(Context& context, const Options& options, const RouteChange& request);
int run(Context& context, const Options& options, const RouteShow& request);
int run(Context& context, const Options& options, const RouteGet& request);
int run(Context& context, const Options& options, const RouteFlush& request);
int run(Context& context, const Options& options, const RuleChange& request);
int run(Context& context, const Options& options, const RuleShow& request);
int run(Context& context, const Options& options, const RuleFlush& request);
int run(Context& context, const Options& options, const NeighborChange& request);
int run(Context& context, const Options& options, const NeighborShow& request);
int run(Context& context, const Options& options, const NeighborGet& request);
int run(Context& context, const Options& options, const NeighborFlush& request);
int run(Context& context, const Options& options, const BridgeLinkSet& request);
int run(Context& context, const Options& options, const BridgeLinkShow& request);
int run(Context& context, const Options& options, const FdbChange& request);
int run(Context& context, const Options& options, const FdbShow& request);
int run(Context& context, const Options& options, const FdbGet& request);
int run(Context& context, const Options& options, const VlanChange& request);
int run(Context& context, const Options& options, const VlanSet& request);
int run(Context& context, const Options& options, const VlanShow& request);
int run(Context& context, const Options& options, const MdbChange& request);
int run(Context& context, const Options& options, const MdbShow& request);
int run(Context& context, const Options& options, const VniChange& request);
int run(Context& context, const Options& options, const VniShow& request);
int run(Context& context, const Options& options, const NexthopChange& request);
int run(Context& context, const Options& options, const NexthopDelete& request);
int run(Context& context, const Options& options, const NexthopShow& request);
int run(Context& context, const Options& options, const NexthopFlush& request);
int run(Context& context, const Options& options, const NexthopBucketShow& request);
int run(Context& context, const Options& options, const NexthopBucketGet& request);
int run(Context& context, const Options& options, const Monitor& request);
int run(Context& context, const Options& options, const TunnelChange& request);
int run(Context& context, const Options& options, const TunnelShow& request);
int run(Context& context, const Options& options, const TuntapChange& request);
int run(Context& context, const Options& options, const TuntapShow& request);
int run(Context& context, const Options& options, const FdbFlush& request);
int run(Context& context, const Options& options, const AddrlabelChange& request);
int run(Context& context, const Options& options, const AddrlabelShow& request);
int run(Context& context, const Options& options, const AddrlabelFlush& request);
int run(Context& context, const Options& options, const TokenSet& request);
int run(Context& context, const Options& options, const TokenShow& request);
int run(Context& context, const Options& options, const NetconfShow& request);
int run(Context& context, const Options& options, const NtableChange& request);
int run(Context& context, const Options& options, const NtableShow& request);
int run(Context& context, const Options& options, const VrfShow& request);
int run(Context& context, const Options& options, const MaddressChange& request);
int run(Context& context, const Options& options, const MaddressShow& request);
int run(Context& context, const Options& options, const NetnsList& request);
int run(Context& context, const Options& options, const NetnsListId& request);
int run(Context& context, const Options& options, const NetnsSet& request);
int run(Context& context, const Options& options, const NetnsFile& request);
int run(Context& context, const Options& options, const NetnsIdentify& request);
int run(Context& context, const Options& options, const NetnsPids& request);
int run(Context& context, const Options& options, const StatsShow& request);
int run(Context& context, const Options& options, const StatsSet& request);
int run(Context& context, const Options& options, const LinkXstats& request);
int run(Context& context, const Options& options, const LinkAfstats& request);
int run(Context& context, const Options& options, const RefusedCommand& request);

}  // namespace nlsh
