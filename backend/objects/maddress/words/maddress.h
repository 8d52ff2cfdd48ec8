// ip maddress (ip-maddress(8)): requests. Multicast addresses of devices.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "parser/ip/verb.h"

namespace nlsh {

// ip maddress add, delete.
struct MaddressChange {
    ChangeVerb verb = ChangeVerb::add;
    std::string device;
    std::array<uint8_t, 6> address{};
};

struct MaddressShow {
    std::string device;  // empty: all
};

}  // namespace nlsh
