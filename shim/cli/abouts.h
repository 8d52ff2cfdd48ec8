// Help for the verbs that nlsh-mock implements.
#pragma once

#include <string_view>

namespace nlsh {

constexpr std::string_view about_record = "Collect the command lines that a program runs";
constexpr std::string_view about_mock =
    "Run a program whose ip and bridge commands a scenario answers, without a kernel";

}  // namespace nlsh
