// bridge vni (bridge(8)): requests.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "backend/objects/bridge/words/values.h"
#include "parser/ip/arguments.h"
#include "parser/ip/verb.h"

namespace nlsh {

// bridge vni add, delete.
struct VniChange {
    ChangeVerb verb = ChangeVerb::add;
    std::string device;
    std::vector<IdRange> vnis;
    std::optional<InetPrefix> remote;  // or a multicast group
};

struct VniShow {
    std::string device;  // empty: all
};

}  // namespace nlsh
