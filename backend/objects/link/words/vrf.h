// ip vrf show (ip-vrf(8)): its request. `exec`, `identify` and `pids` are about processes.
#pragma once

#include <string>

namespace nlsh {

struct VrfShow {
    std::string name;  // empty: all
};

}  // namespace nlsh
