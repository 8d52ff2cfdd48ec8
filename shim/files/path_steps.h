// How the kernel walks a path: which names it looks up in which directories.
#pragma once

#include <string>
#include <vector>

namespace nlsh {

struct PathStep {
    std::string directory;  // absolute, without links
    std::string name;       // looked up there
};

// All steps to the file of an absolute path, also through links; the last name may be missing. A
// user who can change one of these entries can put another file in its place.
std::vector<PathStep> path_steps(std::string path);
// The entry's own path.
std::string path_of(const PathStep& step);

}  // namespace nlsh
