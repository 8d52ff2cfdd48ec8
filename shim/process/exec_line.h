// Turns the program that a process is about to exec into a line for a shell.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace nlsh {

// words: the file, then argv. Returns the command of ip or bridge, by its path; LINE of a shell's
// `-c LINE`; or the shell's whole command. nullopt: another program, an unusual argv[0], or more
// words. find: returns the file that a name runs, or an empty text. A shell's argv[0] may be a name
// that runs `file`.
using FindFile = std::function<std::string(std::string_view name)>;
std::optional<std::string> exec_line(std::span<const std::string_view> words,
                                     const FindFile& find = {});

// Whether this is `ip netns exec NAME COMMAND …`, which the process does itself.
bool enters_netns(std::span<const std::string_view> words);

// The command as its caller would write it, for records and logs: `ip link set lo up`.
std::string plain_exec_line(std::span<const std::string_view> words);

}  // namespace nlsh
