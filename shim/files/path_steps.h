// How the kernel comes to a file: which names it looks up in which directories.
#pragma once

#include <string>
#include <vector>

namespace nlsh {

struct PathStep {
    std::string directory;  // absolute, without links
    std::string name;       // looked up there
};

// All steps to an absolute path's file, through links' targets; the last name may not
// exist. A user who can change one of these entries can put another file in its place.
std::vector<PathStep> path_steps(std::string path);
// The entry's own path.
std::string path_of(const PathStep& step);

}  // namespace nlsh
