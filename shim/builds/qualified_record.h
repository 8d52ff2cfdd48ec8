// What `nlsh qualify` has found of builds (shim/replay), kept in files: root's for all users,
// another user's for that user alone.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "shim/builds/build_identity.h"
#include "shim/builds/profile.h"

namespace nlsh {

// The record of exactly this build (build id, size, time), by this version of nlsh and its
// recordings. Nothing: there is none, or others than its owner can write to a file or its folder.
std::optional<Profile> qualified_profile(Tool tool, const BuildIdentity& build);

// The name of the file of a proof (proven.h), by its text.
std::string name_of_proof(std::string_view text);

}  // namespace nlsh
