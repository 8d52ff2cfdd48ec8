// Prints the help of a verb, from its rows.
#pragma once

#include <string>
#include <vector>

#include "shim/cli/options.h"

namespace nlsh {

struct HelpRow {
    std::string name;
    std::string text;
};

// `  name   text`, with the texts aligned and wrapped at 80 columns.
std::string help_rows(const std::vector<HelpRow>& rows);

std::string help_of(const Subcommand& verb, const CommandLine& line);

}  // namespace nlsh
