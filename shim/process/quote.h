// Words as a shell has to be given them.
#pragma once

#include <string>
#include <string_view>

namespace nlsh {

// The word itself when the shell changes nothing in it, else in single quotes.
std::string shell_quoted(std::string_view word);

}  // namespace nlsh
