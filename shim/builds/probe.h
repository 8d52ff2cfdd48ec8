// Asks a build of iproute2 itself what its traits are, in network namespaces of its own.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "parser/ip/options.h"

namespace nlsh {

struct Probed {
    bool iproute2 = false;  // it says what iproute2 says of objects that there aren't
    Traits traits;
    std::vector<std::string> left;  // objects that are left to the real one (Traits::leave)
    std::vector<Trait> undecided;   // of those that were asked about
    std::string fdb_usage;          // as Profile has it
};

struct ProbedTools {
    std::string ip, bridge;            // paths
    std::array<Probed, 2> found = {};  // by tool
};

// Takes the time of some 200 execs of ip (half a second on a slow machine). Nothing: there is no
// network namespace to be had.
std::optional<ProbedTools> probe(std::string ip, std::string bridge);

// What of the rows' answers follows; texts are the answers, one for each row. For tests.
Probed judge(Tool tool, const std::vector<std::string>& answers);

}  // namespace nlsh
