// ip mroute (ip-mroute(8)): multicast routes, which a routing daemon makes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace nlsh {

struct MrouteShow {
    std::string device;             // the incoming device; empty: any
    std::optional<uint32_t> table;  // nullopt: all of them
};

}  // namespace nlsh
