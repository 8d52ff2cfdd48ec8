// What a second look at an unknown build of iproute2 has found to differ.
#pragma once

#include <string>
#include <vector>

#include "shim/stats/command_names.h"

namespace nlsh {

// From the next line on these commands of a line fall back, in all processes that use the same
// record. Needs the rights to write the record; a new qualification of the build forgets it. Empty:
// done; otherwise the reason.
std::string put_out_of_use(const std::vector<ProvenCommand>& commands);

}  // namespace nlsh
