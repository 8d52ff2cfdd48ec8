// What is known of builds of iproute2: which traits each has.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parser/ip/options.h"

namespace nlsh {

struct Profile {
    std::string version;  // of iproute2: "6.1.0", whatever the build calls itself
    std::string build;    // "Debian 12's 6.1.0-3"
    Traits traits;
    // Of a build that has been asked: objects that are left to it, traits that it leaves open.
    bool asked = false;
    std::vector<std::string> left = {};
    std::vector<Trait> undecided = {};
    // What it said to `bridge fdb help`, on stderr, with status 255: fdbsyncd looks in it for what
    // the build can do. Empty: it hasn't been asked.
    std::string fdb_usage = {};
};

// A build whose traits are written down. Its version's text is no proof: Debian's 5.10.0-4 calls
// itself 5.9.0, and patched builds call themselves as those that they were made from.
struct WrittenBuild {
    Tool tool;
    std::string_view build_id;
    std::string_view version, build;
    Traits traits;
    bool imitated = true;  // else it is left to itself as a whole
};
std::span<const WrittenBuild> written_builds();

bool is_written(Tool tool, std::string_view build_id);
// Of the build with this build id; nothing: it isn't written down, or left to itself.
std::optional<Profile> written_profile(Tool tool, std::string_view build_id);

}  // namespace nlsh
