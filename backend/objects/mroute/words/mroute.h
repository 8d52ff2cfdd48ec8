// ip mroute (ip-mroute(8)): the routes of multicast packets, which a routing daemon makes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace nlsh {

struct MrouteShow {
    std::string device;             // packets come in by it; empty: by any
    std::optional<uint32_t> table;  // nullopt: all of them
};

}  // namespace nlsh
