// Whether a program is the one that we imitate, or only has its name.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "parser/program.h"

namespace nlsh {

// `path` leads to the program that Debian installs as `name`: an ELF file of the name that it has
// there (awk is mawk or gawk), with a text in it that its authors put there. A wrapper, busybox or
// another program isn't. For names that we imitate; false for all others.
bool is_genuine(const std::string& path, std::string_view name);

// The shell behind /bin/sh, or nothing when it is one that we don't imitate.
std::optional<Dialect> system_shell();

}  // namespace nlsh
