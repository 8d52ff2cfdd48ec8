// The program that a process is about to become, as a line for a shell.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace nlsh {

// `words`: the file, then argv. Returns ip's or bridge's command, by its path; a shell's LINE of
// `-c LINE`, or the shell's command. nullopt: another program, another name than its own, or more
// words. find: the file that a name runs, empty if none; a shell counts by its name only if the
// name runs that file.
using FindFile = std::function<std::string(std::string_view name)>;
std::optional<std::string> exec_line(std::span<const std::string_view> words,
                                     const FindFile& find = {});

// `ip netns exec NAME COMMAND …`, which the process does itself.
bool enters_netns(std::span<const std::string_view> words);

// As its caller would have written it, for records and logs: `ip link set lo up`.
std::string plain_exec_line(std::span<const std::string_view> words);

}  // namespace nlsh
