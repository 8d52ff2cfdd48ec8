#include "shim/process/exec_line.h"

#include <algorithm>
#include <array>

#include "parser/text.h"
#include "shim/process/quote.h"

namespace nlsh {
namespace {

constexpr std::array<std::string_view, 2> tools{"ip", "bridge"};
constexpr std::array<std::string_view, 3> shells{"sh", "dash", "bash"};
constexpr std::array<std::string_view, 2> system_shells{"/bin/sh", "/usr/bin/sh"};

bool is_one_of(std::span<const std::string_view> names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

std::string quoted(std::string_view program, std::span<const std::string_view> arguments) {
    std::string line = shell_quoted(program);
    for (const std::string_view argument : arguments)
        line.append(1, ' ').append(shell_quoted(argument));
    return line;
}

}  // namespace

std::optional<std::string> exec_line(std::span<const std::string_view> words,
                                     const FindFile& find) {
    if (words.size() < 2) return {};
    const std::string_view file = words[0];
    const std::string_view name = words[1];
    const auto arguments = words.subspan(2);
    // Only a path, because a shell would search for a name. ip takes a suffix of its own name for
    // an object, so the name must be plain.
    if (!file.starts_with('/')) return {};
    if (is_one_of(tools, base_name(file)))
        return base_name(name) == base_name(file) ? std::optional(quoted(file, arguments))
                                                  : std::nullopt;
    if (!is_one_of(shells, base_name(file)) || arguments.size() != 2 || arguments[0] != "-c")
        return {};
    if (name == "sh" && is_one_of(system_shells, file)) return std::string(arguments[1]);
    // The shell's messages begin with the name by which it was called.
    const bool found = find && name == base_name(file) && find(name) == file;
    return found || name == file ? std::optional(quoted(name, arguments)) : std::nullopt;
}

bool enters_netns(std::span<const std::string_view> words) {
    constexpr size_t least = 6;  // the file, ip, netns, exec, NAME, COMMAND
    if (words.size() < least || base_name(words[0]) != "ip" || base_name(words[1]) != "ip")
        return false;
    const std::string_view name = words[4];
    const bool plain =
        !name.empty() && name[0] != '-' && name[0] != '.' && name.find('/') == name.npos;
    return words[2] == "netns" && words[3] == "exec" && plain && !words[5].empty();
}

std::string plain_exec_line(std::span<const std::string_view> words) {
    if (words.size() < 2) return {};
    const auto arguments = words.subspan(2);
    const bool shell = is_one_of(shells, base_name(words[0])) && arguments.size() == 2;
    return shell ? std::string(arguments[1]) : quoted(base_name(words[1]), arguments);
}

}  // namespace nlsh
