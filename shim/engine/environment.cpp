#include "shim/engine/environment.h"

#include <algorithm>
#include <array>
#include <utility>

#include "backend/objects/link/kinds/kinds.h"
#include "shim/engine/own_rights.h"

namespace nlsh {
namespace {

constexpr std::array<std::string_view, 6> system_directories{
    "/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"};

bool is_system_directory(std::string_view directory) {
    return std::ranges::find(system_directories, directory) != system_directories.end();
}

bool has_system_path(std::string_view path) {
    while (!path.empty()) {
        const size_t end = std::min(path.find(':'), path.size());
        if (!is_system_directory(path.substr(0, end))) return false;
        path.remove_prefix(std::min(end + 1, path.size()));
    }
    return true;
}

}  // namespace

std::string looked_along(const CallerEnvironment& caller) {
    const bool looked = !caller.system_programs || has_system_path(caller.path);
    return looked ? caller.path : std::string();
}

bool may_look_at(std::string_view word, const CallerEnvironment& caller) {
    if (!caller.system_programs) return true;
    const size_t slash = word.rfind('/');
    return slash == word.npos ? has_system_path(caller.path)
                              : is_system_directory(word.substr(0, slash));
}

std::optional<Tool> Environment::tool(std::string_view word) const {
    return may_look_at(word, caller_) ? tools_.tool(word) : std::nullopt;
}

std::string Environment::other_version(std::string_view word) const {
    if (!may_look_at(word, caller_)) return {};
    const std::string version = tools_.other_version(word);
    return version.empty() ? version : ": iproute2 " + version + ", which is not known";
}

bool Environment::utility(std::string_view word, std::string_view base) const {
    return caller_.plain_locale && may_look_at(word, caller_) && tools_.utility(word, base);
}

Charset Environment::charset() const {
    if (!caller_.plain_locale) return Charset::unknown;
    return caller_.utf8 ? Charset::utf8 : Charset::ascii;
}

Parsed<Command> Environment::command(Tool tool, Words words) const {
    auto command = ProgramEnvironment::command(tool, words);
    if (command || !asks_kept_usage(tool, words)) return command;
    std::string usage = tools_.fdb_usage();
    if (usage.empty()) return command;
    return Command{.options = {.tool = tool, .traits = traits(tool)},
                   .request = RefusedCommand{.message = std::move(usage)},
                   .summary = words[0] + " help",
                   .is = {.read_only = true}};
}

const char* Environment::mount_refusal() const {
    if (!caller_.own) return nullptr;
    if (is_filtered()) return " under a seccomp filter";
    return is_first_root() ? nullptr : ": not root";
}

bool Environment::writable(std::string_view path) const {
    if (path == "/dev/null") return files_.null_discards();
    return caller_.any_file || files_.has_setting(path);
}

LinkKinds Environment::kinds() const {
    return link_kinds();
}

}  // namespace nlsh
