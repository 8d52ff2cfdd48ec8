// Where nlsh's other files are: beside this one (a build tree), or where it is installed.
#pragma once

#include <string>

namespace nlsh {

// The file of this process's program; empty: unknown, without /proc in a directory without a path.
std::string own_program();
// The path of another executable or library of nlsh. Empty: it isn't there.
std::string place_of(const std::string& name);

}  // namespace nlsh
