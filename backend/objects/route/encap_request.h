// Puts the encapsulation of a route or a nexthop into a request.
#pragma once

#include <expected>

#include "backend/context.h"
#include "backend/objects/route/words/encap.h"
#include "parser/ip/options.h"

namespace nlsh {

// The numbers of these attributes: RTA_* for a route, NHA_* for a nexthop.
struct EncapTypes {
    uint16_t type;
    uint16_t nest;
};
constexpr EncapTypes route_encap{RTA_ENCAP_TYPE, RTA_ENCAP};

// Looks up the encapsulation's devices. If one is missing, prints the error and returns the status.
std::expected<RouteEncap, int> resolve_encap(Context& context, const Options& options,
                                             Channel& channel, const RouteEncap& encap);
// Puts nothing if there is no encapsulation. Call resolve_encap() first.
void put_encap(Message& message, const EncapTypes& types, const RouteEncap& encap);

}  // namespace nlsh
