// The program of awk: rules of tests and prints.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "parser/filter/filter.h"

namespace nlsh {

// -v NAME=VALUE, by name.
using AwkVariables = std::map<std::string, std::string, std::less<>>;

Parsed<std::vector<Awk::Rule>> parse_awk_program(std::string_view text,
                                                 const AwkVariables& variables);

// A name that a program may give to a variable, and that means nothing else to awk.
bool is_awk_variable(std::string_view name);

}  // namespace nlsh
