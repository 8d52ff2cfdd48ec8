// What `nlsh qualify` has found of builds (shim/replay), kept in files: root's for all users,
// another user's for that user alone.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

#include "shim/builds/build_identity.h"
#include "shim/builds/profile.h"

namespace nlsh {

// The record of exactly this build (build id, size, time), by this version of nlsh and its
// recordings. Nothing: there is none, or others than its owner can write to a file or its folder.
std::optional<Profile> qualified_profile(Tool tool, const BuildIdentity& build);

// A folder whose files count if they belong to `owner`, and nobody else can write there.
struct RecordPlace {
    std::string folder, file;  // the file of records
    uid_t owner = 0;
};
// Where this process keeps what it finds: beside root's build_record_path(), or in
// $XDG_CACHE_HOME/nlsh. Nothing: nowhere.
std::optional<RecordPlace> place_to_write();
// The name of the file of a proof (proven.h), by its text.
std::string name_of_proof(std::string_view text);

}  // namespace nlsh
