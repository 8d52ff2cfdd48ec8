#include "shim/engine/tools.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "parser/text.h"
#include "shim/rights/exec_rights.h"

namespace nlsh {
namespace {

// The PATH of dash and bash if none is set.
constexpr std::string_view default_path =
    "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

constexpr std::array<std::string_view, 4> system_directories{"/usr/sbin/", "/usr/bin/", "/sbin/",
                                                             "/bin/"};

}  // namespace

ToolFinder::ToolFinder(std::string_view path, Observers observers,
                       std::shared_ptr<References> references)
    : observers_(std::move(observers)), references_(std::move(references)) {
    if (path.empty()) path = default_path;
    for (;;) {
        const size_t end = path.find(':');
        const std::string_view directory = path.substr(0, end);
        directories_.emplace_back(directory.empty() ? "." : directory);
        if (end == path.npos) break;
        path.remove_prefix(end + 1);
    }
}

std::optional<ToolFinder::File> ToolFinder::regular_file(const std::string& path) {
    struct stat status;
    if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
    return File{status.st_dev, status.st_ino};
}

std::optional<ToolFinder::File> ToolFinder::executable(const std::string& path) const {
    struct stat status;
    // A missing file needs no watch: find() watches its directory.
    if (path.empty() || lstat(path.c_str(), &status) != 0) return {};
    if (observers_.file) observers_.file(path);
    if (access(path.c_str(), X_OK) != 0) return {};
    return regular_file(path);
}

std::optional<ToolFinder::File> ToolFinder::find(std::string_view word, std::string& path) const {
    path = word;
    if (word.find('/') != word.npos) {
        if (observers_.file) observers_.file(path);
        return executable(path);
    }
    for (const std::string& directory : directories_) {
        path = directory + "/" + std::string(word);
        // A relative directory depends on the caller's working directory.
        if (directory.front() != '/') return {};
        if (observers_.directory) observers_.directory(directory);
        if (const auto file = executable(path)) return file;
    }
    return {};
}

std::string ToolFinder::file(std::string_view word) const {
    std::string path;
    return find(word, path) ? path : std::string();
}

// A setuid file of root gives root nothing. But an exec of a file with capabilities fails, even for
// root, if the bounding set lacks one.
bool ToolFinder::lends_rights(const std::string& path) {
    exec_file file{};
    if (!exec_file_of(path.c_str(), &file) || file.has_capabilities) return true;
    const bool root = geteuid() == 0;
    return (file.setuid && (!root || file.user != 0)) ||
           (file.setgid && (!root || file.group != 0));
}

bool ToolFinder::stands_for(Tool tool, const File& file) const {
    const Reference& real = (*references_)[tool];
    if (!real.profile) return false;
    // nlsh itself: this process, or the installed nlsh, if a program uses us as a library.
    return executable(real.path) == file || regular_file("/proc/self/exe") == file ||
           executable("/usr/bin/nlsh") == file;
}

std::optional<Tool> ToolFinder::tool(std::string_view word) {
    const std::string_view base = base_name(word);
    if (base != "ip" && base != "bridge") return {};
    const auto [known, fresh] = tools_.try_emplace(std::string(word));
    if (fresh && (word == base || word.front() == '/')) {
        const Tool tool = base == "ip" ? Tool::ip : Tool::bridge;
        std::string path;
        const auto file = find(word, path);
        if (file && stands_for(tool, *file) && !lends_rights(path)) known->second = tool;
    }
    return known->second;
}

std::string ToolFinder::other_version(std::string_view word) {
    const std::string_view base = base_name(word);
    if (base != "ip" && base != "bridge") return {};
    const auto [known, fresh] = other_versions_.try_emplace(std::string(word));
    if (fresh && (word == base || word.front() == '/')) {
        const Reference& real = (*references_)[base == "ip" ? Tool::ip : Tool::bridge];
        std::string path;
        const auto file = find(word, path);
        if (file && file == executable(real.path) && !real.profile)
            known->second = reference_version(real.path);
    }
    return known->second;
}

bool ToolFinder::utility(std::string_view word, std::string_view base) {
    if (base_name(word) != base) return false;
    const auto [known, fresh] = utilities_.try_emplace(std::string(word));
    if (fresh && (word == base || word.front() == '/')) {
        std::string path;
        const bool system =
            find(word, path) &&
            std::ranges::any_of(system_directories, [&](std::string_view directory) {
                return path.starts_with(directory) && path.find('/', directory.size()) == path.npos;
            });
        if (system) known->second = genuine(path, base);
    }
    return known->second != Genuine::no && (known->second != Genuine::unsure || word == base);
}

bool ToolFinder::says_base_name(std::string_view word) const {
    const auto known = utilities_.find(std::string(word));
    return known != utilities_.end() && known->second == Genuine::short_name;
}

}  // namespace nlsh
