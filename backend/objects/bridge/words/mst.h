// bridge mst (bridge(8)): requests. The states of a port in multiple spanning trees.
#pragma once

#include <cstdint>
#include <string>

namespace nlsh {

struct MstSet {
    std::string device;
    uint16_t instance = 0;
    uint8_t state = 0;  // BR_STATE_*, or what the kernel refuses
};

struct MstShow {
    std::string device;  // empty: all ports
};

}  // namespace nlsh
