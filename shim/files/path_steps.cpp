#include "shim/files/path_steps.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

namespace nlsh {
namespace {

constexpr int links_max = 40;  // the kernel's own limit

// Takes the first name off the path; empty at its end.
std::string take_name(std::string& path) {
    const size_t start = std::min(path.find_first_not_of('/'), path.size());
    const size_t end = std::min(path.find('/', start), path.size());
    std::string name = path.substr(start, end - start);
    path.erase(0, end);
    return name;
}

std::string parent_of(const std::string& directory) {
    return directory.substr(0, std::max<size_t>(directory.rfind('/'), 1));
}

}  // namespace

std::string path_of(const PathStep& step) {
    return step.directory == "/" ? "/" + step.name : step.directory + "/" + step.name;
}

std::vector<PathStep> path_steps(std::string path) {
    std::vector<PathStep> steps;
    std::string at = "/";
    int links = 0;
    for (std::string name; !(name = take_name(path)).empty();) {
        if (name == ".") continue;
        if (name == "..") {
            at = parent_of(at);
            continue;
        }
        steps.push_back({at, name});
        std::string here = path_of(steps.back());
        char target[PATH_MAX];
        const ssize_t size = readlink(here.c_str(), target, sizeof target);
        if (size < 0 && errno == EINVAL) {  // no link
            at = std::move(here);
        } else if (size < 0 || ++links > links_max) {
            break;
        } else {
            if (target[0] == '/') at = "/";
            path.insert(0, std::string(target, static_cast<size_t>(size)) + "/");
        }
    }
    return steps;
}

}  // namespace nlsh
