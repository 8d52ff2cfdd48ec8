// The line of a record that tells what `nlsh qualify` has found of an unknown build of iproute2.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "shim/builds/build_identity.h"
#include "shim/builds/profile.h"

namespace nlsh {

// The key under which a record counts: of exactly this build (build id, size, time), by this
// version of nlsh and these recordings. It contains nothing that a program says of itself.
std::string record_key(Tool tool, const BuildIdentity& build);

// One build's line in the file, and back. Nothing: another build's, or no record.
std::string record_line(Tool tool, const BuildIdentity& build, const Profile& profile);
std::optional<Profile> parse_record(std::string_view line, Tool tool, const BuildIdentity& build);

}  // namespace nlsh
