// ip ntable (ip-ntable(8)): requests. The parameters of the neighbour tables.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace nlsh {

// One attribute of RTM_SETNEIGHTBL.
struct NtableValue {
    uint16_t type = 0;  // NDTA_*, or NDTPA_* for a parameter
    bool parameter = false;
    bool wide = false;  // 64 bits: milliseconds
    uint64_t value = 0;
};

struct NtableChange {
    std::string name;
    std::string device;  // empty: none
    std::vector<NtableValue> values;
};

struct NtableShow {
    std::string name;    // empty: all
    std::string device;  // empty: all
};

}  // namespace nlsh
