// Names of a program's commands for statistics: object and verb.
#pragma once

#include <string>
#include <vector>

#include "parser/shell/tree.h"

namespace nlsh {

// "ip link set", "bridge vlan add", "filter", …: one for each simple command, in order.
std::vector<std::string> command_names(const Program& program);

}  // namespace nlsh
