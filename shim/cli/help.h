// The help of a verb, from its rows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "shim/cli/options.h"

namespace nlsh {

struct HelpRow {
    std::string name;
    std::string text;
};

// `  name   text`, the texts beside each other and broken into lines of 80 columns.
std::string help_rows(const std::vector<HelpRow>& rows);

std::string help_of(const CommandLine& line);

}  // namespace nlsh
