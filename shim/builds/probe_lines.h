// The lines that nlsh and a build both run (probe_line_rows.h): which objects are as known?
#pragma once

#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "parser/ip/options.h"

namespace nlsh {

using ObjectName = std::pair<Tool, std::string>;

struct Compared {
    // The objects of which at least one line says what the build has said, and none anything else.
    std::set<ObjectName> agreed;
    std::set<std::pair<Tool, Trait>> doubted;  // as ProbeLine has it
};

// Runs probe_lines() natively, in a fresh network namespace, as ip and bridge of these traits. A
// line that isn't native says nothing; where it should have changed something, later ones differ.
Compared compare_lines(std::span<const Traits, 2> traits, const std::vector<std::string>& said);

}  // namespace nlsh
