// popen("ip -batch -", "w"): the program writes the lines that the command reads. The server has
// neither the pipe nor the right to run the rest of the batch. So nlsh replaces the command, as a
// child of the program.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "parser/ip/options.h"

namespace nlsh {

// The line with `nlsh`, a path, in place of ip or bridge. nullopt: the line isn't a single plain
// batch command (redirections are allowed). `tool` resolves the command's word.
std::optional<std::string> stand_in(
    std::string_view line, std::string_view nlsh,
    const std::function<std::optional<Tool>(std::string_view)>& tool);

// own_program(); empty: the file was deleted, or its path would need quotes.
std::string own_word();

}  // namespace nlsh
