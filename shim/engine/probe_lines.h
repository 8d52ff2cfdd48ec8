// The lines that nlsh and a build both run (probe_rows.h): which objects are as known?
#pragma once

#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "parser/ip/options.h"

namespace nlsh {

using ObjectName = std::pair<Tool, std::string>;

// Runs probe_lines() natively, in a fresh network namespace, as ip and bridge of these traits. The
// objects of which at least one line says what the build has said, and none anything else. A line
// that isn't native says nothing; where it should have changed something, later ones differ.
std::set<ObjectName> compare_lines(std::span<const Traits, 2> traits,
                                   const std::vector<std::string>& said);

}  // namespace nlsh
