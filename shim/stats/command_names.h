// The commands of a program: their names for statistics, and what proves them.
#pragma once

#include <string>
#include <vector>

#include "parser/shell/tree.h"

namespace nlsh {

// "ip link set", "bridge vlan add", "filter", …: one for each simple command, in order.
std::vector<std::string> command_names(const Program& program);

// A command of a build that only a qualification knows (parser/ip/traits/proof.h). Commands whose
// words aren't known before they run aren't among them.
struct ProvenCommand {
    std::string proof;  // the file
    std::string scope;
};
std::vector<ProvenCommand> proven_commands(const Program& program);

}  // namespace nlsh
