// The tunnels' private ioctls, in the calling thread's network namespace.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace nlsh {

// Returns 0 or an errno. Overwrites `parameters` with the kernel's answer. EOVERFLOW: this kind of
// tunnel has a larger structure.
int tunnel_request(uint32_t request, std::string_view device, std::string& parameters);

}  // namespace nlsh
