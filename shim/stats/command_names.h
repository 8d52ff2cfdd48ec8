// The commands of a program: their names for statistics, and their proofs.
#pragma once

#include <string>
#include <vector>

#include "parser/shell/tree.h"

namespace nlsh {

// "ip link set", "bridge vlan add", "filter", …: one for each simple command, in order.
std::vector<std::string> command_names(const Program& program);

// A command of a qualified build (parser/ip/traits/proof.h). Leaves out commands whose words are
// known only when they run.
struct ProvenCommand {
    std::string proof;  // the file
    std::string scope;
};
std::vector<ProvenCommand> proven_commands(const Program& program);

}  // namespace nlsh
