#include "shim/engine/stand_in.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "parser/ip/global_options.h"
#include "parser/text.h"
#include "shim/process/places.h"

namespace nlsh {
namespace {

bool is_plain(std::string_view word, std::string_view more = {}) {
    return std::ranges::all_of(word, [&](char c) {
        return plain_bytes.find(c) != plain_bytes.npos || more.find(c) != more.npos;
    });
}

// [N]>FILE, [N]>>FILE, N>&N; FILE may be the next word. Input redirections don't count: the program
// then doesn't feed the command.
bool is_redirection(std::string_view word) {
    const size_t arrow = word.find('>');
    if (arrow > 1 || (arrow == 1 && word[0] != '1' && word[0] != '2')) return false;  // or none
    std::string_view target = word.substr(arrow + 1);
    if (target.starts_with('&')) return target == "&1" || target == "&2";
    if (target.starts_with('>')) target.remove_prefix(1);
    return is_plain(target);
}

// The command's words; nullopt: the shell would do more than we know.
std::optional<std::vector<std::string>> arguments_of(const std::vector<std::string_view>& words) {
    std::vector<std::string> arguments;
    for (size_t i = 0; i < words.size(); ++i) {
        if (is_redirection(words[i])) {
            if (!words[i].ends_with('>')) continue;
            i++;
            if (i == words.size() || !is_plain(words[i])) return {};
        } else if (is_plain(words[i], i == 0 ? "" : "=")) {
            arguments.emplace_back(words[i]);
        } else {
            return {};
        }
    }
    return arguments;
}

}  // namespace

std::optional<std::string> stand_in(
    std::string_view line, std::string_view nlsh,
    const std::function<std::optional<Tool>(std::string_view)>& tool) {
    const auto arguments = arguments_of(split(line, ' '));
    if (!arguments || arguments->empty() || nlsh.empty()) return {};
    const std::string& command = arguments->front();
    if (!line.substr(line.find_first_not_of(' ')).starts_with(command)) return {};
    const auto which = tool(command);
    if (!which) return {};
    const auto invocation = parse_invocation(*which, Words(*arguments).subspan(1));
    if (!invocation || invocation->batch == 0) return {};
    return fmt::format("{} {}{}", nlsh, *which == Tool::ip ? "ip" : "bridge",
                       line.substr(line.find(command) + command.size()));
}

std::string own_word() {
    std::string name = own_program();
    return is_plain_word(name) && access(name.c_str(), X_OK) == 0 ? std::move(name) : std::string();
}

}  // namespace nlsh
