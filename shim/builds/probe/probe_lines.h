// Runs lines by nlsh and by a build (Object::probes), to find objects that behave as known.
#pragma once

#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "parser/ip/command.h"

namespace nlsh {

// All of them, in their order.
std::span<const ProbeLine> probe_lines();

using ObjectName = std::pair<Tool, std::string>;

struct Compared {
    // Objects with at least one equal line and no different one.
    std::set<ObjectName> agreed;
    std::set<std::pair<Tool, Trait>> doubted;  // see ProbeLine
};

// Runs probe_lines() natively, in a fresh network namespace, as ip and bridge with these traits. A
// line that isn't native proves nothing; if it should have changed something, later lines differ.
Compared compare_lines(std::span<const Traits, 2> traits, const std::vector<std::string>& said);

}  // namespace nlsh
