// The program that a process is about to become, as a line for a shell.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace nlsh {

// `words`: the file, then argv. Of ip and bridge the command, by its path; of a shell with `-c
// LINE` that line, or the shell's command. Nothing: another program, by another name than its own,
// or with more than that. find: the file that a name runs, empty if none; a shell is known by its
// name only where it is that file.
using FindFile = std::function<std::string(std::string_view name)>;
std::optional<std::string> exec_line(std::span<const std::string_view> words,
                                     const FindFile& find = {});

// `ip netns exec NAME COMMAND …`, which the process does itself.
bool enters_netns(std::span<const std::string_view> words);

// As its caller would have written it, for records and logs: `ip link set lo up`.
std::string plain_exec_line(std::span<const std::string_view> words);

}  // namespace nlsh
