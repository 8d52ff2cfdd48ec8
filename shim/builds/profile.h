// The traits of each known build of iproute2.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parser/ip/options.h"

namespace nlsh {

struct Profile {
    std::string version;  // "6.1.0", whatever the build calls itself
    std::string build;    // "Debian 12's 6.1.0-3"
    Traits traits;
    // The rest is of an unknown build that was qualified. What falls back, and the traits that
    // stay unknown:
    std::vector<std::string> left = {};
    std::vector<Trait> undecided = {};
    // Its output of `bridge fdb help`, on stderr, with status 255: fdbsyncd searches it for
    // features. Empty: unknown.
    std::string fdb_usage = {};
    // Its rows that are proven (shim/builds/proven.h), by the name of the file that has them.
    std::string proof = {};
    std::string record = {};  // the file that it was read from
};

// A build whose traits are recorded here. The version's text proves nothing: Debian's 5.10.0-4
// calls itself 5.9.0, and patched builds keep their original's version.
struct WrittenBuild {
    std::string_view version, build;
    Traits traits;
    std::string_view ip, bridge;  // build ids
    std::string_view id(Tool tool) const { return tool == Tool::ip ? ip : bridge; }
};
std::span<const WrittenBuild> written_builds();

bool is_written(Tool tool, std::string_view build_id);
// The profile of the build with this build id; nothing: it isn't recorded.
std::optional<Profile> written_profile(Tool tool, std::string_view build_id);

}  // namespace nlsh
