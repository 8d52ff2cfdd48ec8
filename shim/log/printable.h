// Makes untrusted text safe for a terminal and a log.
#pragma once

#include <string>
#include <string_view>

namespace nlsh {

// Control characters (C1, too) and bytes that aren't UTF-8 become \xNN.
std::string printable(std::string_view text);

}  // namespace nlsh
