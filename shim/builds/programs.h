// Whether a program is one that we imitate, or only has its name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "parser/program.h"

namespace nlsh {

// How a program that we imitate names itself in its messages.
enum class Genuine : uint8_t {
    no,          // another program
    as_called,   // "/bin/echo: write error"
    short_name,  // "echo: write error": coreutils since 9.7
    unsure,      // coreutils between 9.1 and 9.7
};

// Whether `path` leads to the program that Debian installs as `name`: an ELF file with the right
// name (awk is mawk or gawk), and with a text of its authors. A wrapper, busybox or another program
// isn't. `no` for programs that nlsh doesn't imitate.
Genuine genuine(const std::string& path, std::string_view name);

// The shell behind /bin/sh; nothing: one that we don't imitate.
std::optional<Dialect> system_shell();

}  // namespace nlsh
