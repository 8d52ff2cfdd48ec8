// What builds of iproute2 have answered when they were asked (probe.h), kept in a file of root's.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "shim/builds/build_identity.h"
#include "shim/builds/profile.h"

namespace nlsh {

// /var/lib/nlsh/builds, or $NLSH_BUILDS (not in a setuid program).
std::string build_record_path();

// Of exactly this build (build id, size, time) with this kernel, asked by this version of nlsh.
// Nothing: there is none, or the file or its folder isn't root's, or others may write there.
std::optional<Profile> recorded_profile(Tool tool, const BuildIdentity& build);

// Asks the two builds when one is neither written down nor recorded, and keeps what they say in
// the place of what was there. Empty: that is done, or not needed. Else why not.
std::string learn_builds();

// One build's line in the file, and back; nothing: it is another build's, or none. For tests.
std::string record_line(Tool tool, const BuildIdentity& build, const Profile& profile);
std::optional<Profile> parse_record(std::string_view line, Tool tool, const BuildIdentity& build);

}  // namespace nlsh
