// Where records of builds are kept, and whose files are believed.
#pragma once

#include <sys/types.h>

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace nlsh {

// A folder whose files count if they belong to `owner`, and nobody else can write there.
struct RecordPlace {
    std::string folder, file;  // the file of records
    uid_t owner = 0;
};

// Root's places, for everybody: /var/lib/nlsh, and /run/nlsh for a root whose /var/lib can't be
// written; or the folder of $NLSH_BUILDS, the file of records (not in a setuid program). Then the
// user's own: $XDG_CACHE_HOME/nlsh, or ~/.cache/nlsh, which root never reads.
std::vector<RecordPlace> places_to_read();
// The place where this process may keep what it finds; its folder is there. The error is a
// sentence.
std::expected<RecordPlace, std::string> place_to_write();

// The file's text; empty unless nobody but the place's owner may have written it.
std::string read_believed(const RecordPlace& place, const std::string& path);
// Replaces the file at once: no reader sees half of one, and two writers don't meet. Empty: done;
// otherwise the reason.
std::string write_believed(const std::string& path, std::string_view text);

}  // namespace nlsh
