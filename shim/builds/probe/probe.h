// Asks a build of iproute2 for its traits, in network namespaces of its own.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "parser/ip/options.h"

namespace nlsh {

struct Probed {
    bool iproute2 = false;  // it says of missing objects what iproute2 says
    Traits traits;
    std::vector<std::string> left;  // objects that fall back (Traits::leave)
    std::vector<Trait> undecided;   // among the traits that were asked for
    std::string fdb_usage;          // as in Profile
};

struct ProbedTools {
    std::string ip, bridge;            // paths
    std::array<Probed, 2> found = {};  // by tool
};

// Takes as long as some 200 execs of ip (half a second on a slow machine). Nothing: no network
// namespace can be made.
std::optional<ProbedTools> probe(std::string ip, std::string bridge);

// Gives each tool what only the other one was asked: both read the same name tables, and write in
// the same way.
void complete(std::array<Probed, 2>& tools);

// Concludes from the answers, one for each row. For tests.
Probed judge(Tool tool, const std::vector<std::string>& answers);

}  // namespace nlsh
