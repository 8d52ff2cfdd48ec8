// Whether a program is one that we imitate, or only has its name.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "parser/program.h"

namespace nlsh {

// Whether `path` leads to the program that Debian installs as `name`: an ELF file with the right
// name (awk is mawk or gawk), and with a text of its authors. A wrapper, busybox or another program
// isn't. False for names that we don't imitate.
bool is_genuine(const std::string& path, std::string_view name);

// The shell behind /bin/sh; nothing: one that we don't imitate.
std::optional<Dialect> system_shell();

}  // namespace nlsh
