// Names in a request about routes, looked up when it runs.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "backend/context.h"

namespace nlsh {

// The routing table of a VRF; 0 when there is no VRF of that name.
uint32_t find_vrf_table(Channel& channel, std::string_view name);
// The same, but "default" is the main table where no device has that name.
uint32_t find_route_table(Channel& channel, std::string_view vrf);
// Says that there is no such VRF; the exit status.
int invalid_vrf(Context& context, std::string_view name);

struct RouteDevices {
    uint32_t iif = 0;
    uint32_t oif = 0;
};
// Looks up the devices of a show or get in iproute2's order; 0: no name was given. If a device is
// missing, prints the error and returns the exit status.
std::expected<RouteDevices, int> find_route_devices(Context& context, const Options& options,
                                                    Channel& channel, const std::string& iif,
                                                    const std::string& oif);

}  // namespace nlsh
