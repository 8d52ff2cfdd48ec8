// The answers of unknown builds of iproute2 to our questions (probe.h), in a file of root's.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "shim/builds/build_identity.h"
#include "shim/builds/profile.h"

namespace nlsh {

// /var/lib/nlsh/builds, or $NLSH_BUILDS (not in a setuid program).
std::string build_record_path();

// The record of exactly this build (build id, size, time) with this kernel, by this version of
// nlsh. Nothing: there is none, or users other than root can write to the file or its folder.
std::optional<Profile> recorded_profile(Tool tool, const BuildIdentity& build);

// Asks both builds if one is neither known nor recorded, and replaces the record. Empty: done, or
// not needed; otherwise the reason.
std::string learn_builds();

// The key under which a record counts. It contains nothing that a program says of itself. A record
// of live answers counts for that kernel, a record of recorded answers for these recordings.
std::string record_key(Tool tool, const BuildIdentity& build, bool by_recordings);

// One build's line in the file, and back. Nothing: another build's, or no record. For tests.
std::string record_line(Tool tool, const BuildIdentity& build, const Profile& profile);
std::optional<Profile> parse_record(std::string_view line, Tool tool, const BuildIdentity& build);

}  // namespace nlsh
