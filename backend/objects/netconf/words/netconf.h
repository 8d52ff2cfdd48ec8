// ip netconf (ip-netconf(8)): its only request.
#pragma once

#include <string>

namespace nlsh {

struct NetconfShow {
    std::string device;  // empty: all
};

}  // namespace nlsh
