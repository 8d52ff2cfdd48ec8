// Lookups and the dump that a show and a flush of routes share.
#pragma once

#include <expected>

#include "backend/context.h"
#include "backend/objects/route/filter.h"

namespace nlsh {

// Looks up names in iproute2's order. Returns the status of the first failure.
std::expected<RouteFilter, int> resolve_routes(Context& context, const Options& options,
                                               Channel& channel, const RouteShow& show);
// The dump, with the filters that the kernel has.
Message route_dump(const RouteFilter& filter);

}  // namespace nlsh
