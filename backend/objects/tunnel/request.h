// The tunnels' private ioctls, in the calling thread's network namespace.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace nlsh {

// errno; 0 for success. What the kernel answers is written over `parameters`. EOVERFLOW:
// SIOCGETTUNNEL of a tunnel whose structure is another, larger one.
int tunnel_request(uint32_t request, std::string_view device, std::string& parameters);

}  // namespace nlsh
