// Records commands of an unknown iproute2 for which verification found a difference.
#pragma once

#include <string>
#include <vector>

#include "shim/stats/command_names.h"

namespace nlsh {

// From the next line on, these commands fall back in all processes that use the same record. Needs
// the rights to write the record. A new qualification of the build forgets it. Empty: done;
// otherwise the reason.
std::string put_out_of_use(const std::vector<ProvenCommand>& commands);

}  // namespace nlsh
