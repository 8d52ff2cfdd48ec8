// popen("ip -batch -", "w"): the program writes the lines that the command reads. The server has
// neither that pipe nor the right to run what isn't native of it, so nlsh takes the command's
// place as a child of the program, with all that a child has.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "parser/ip/options.h"

namespace nlsh {

// The line with `nlsh`, a path, in place of ip or bridge; nothing when it isn't a single plain
// batch command, with redirections perhaps. `tool` says what the command's word would run.
std::optional<std::string> stand_in(
    std::string_view line, std::string_view nlsh,
    const std::function<std::optional<Tool>(std::string_view)>& tool);

// The path of this program, empty when it is gone or none that needs no quotes.
std::string own_path();

}  // namespace nlsh
