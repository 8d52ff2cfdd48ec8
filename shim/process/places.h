// Finds nlsh's other files: in the build tree beside this program, or where nlsh is installed.
#pragma once

#include <string>

namespace nlsh {

// The path of this process's program; empty: unknown (/proc isn't mounted, and the directory has no
// path).
std::string own_program();
// The path of another executable or library of nlsh. Empty: it isn't there.
std::string place_of(const std::string& name);

}  // namespace nlsh
