#include "shim/builds/qualified_record.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "backend/descriptor.h"
#include "backend/read_file.h"
#include "parser/text.h"
#include "shim/builds/build_record.h"
#include "shim/builds/proven.h"

namespace nlsh {
namespace {

constexpr size_t largest = size_t{4} << 20;
constexpr std::string_view file_name = "/qualified";

RecordPlace place_in(const std::string& folder, uid_t owner) {
    return {.folder = folder, .file = folder + std::string(file_name), .owner = owner};
}

RecordPlace roots_place() {
    const std::string live = build_record_path();
    return place_in(live.substr(0, live.rfind('/')), 0);
}

// Where a user keeps what he alone believes; nothing: he is root, or has no home.
std::optional<RecordPlace> own_place() {
    const uid_t user = geteuid();
    if (user == 0 || getuid() != user) return {};
    const char* cache = secure_getenv("XDG_CACHE_HOME");
    const char* home = secure_getenv("HOME");
    std::string folder;
    if (cache != nullptr && *cache == '/') {
        folder = cache;
    } else if (home != nullptr && *home == '/') {
        folder = std::string(home) + "/.cache";
    } else {
        return {};
    }
    return place_in(folder + "/nlsh", user);
}

bool is_alone(const struct stat& status, uid_t owner) {
    return status.st_uid == owner && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

// Empty unless nobody but the owner may have written it.
std::string read_believed(const RecordPlace& place, const std::string& path) {
    struct stat status;
    if (lstat(place.folder.c_str(), &status) != 0 || !is_alone(status, place.owner)) return {};
    const Descriptor file = open_file(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (!file || fstat(file.get(), &status) != 0) return {};
    if (!S_ISREG(status.st_mode) || !is_alone(status, place.owner)) return {};
    return read_all(file, largest);
}

// Kept for good: a line that was read by it may still run. Few come in a process's life.
const Proven* kept_proof(const std::string& text) {
    static std::mutex mutex;
    static std::unordered_map<uint64_t, std::unique_ptr<const Proven>> known;
    const std::scoped_lock lock(mutex);
    auto& proven = known[unit_of(text)];
    if (proven == nullptr)
        if (auto parsed = Proven::parse(text))
            proven = std::make_unique<const Proven>(*std::move(parsed));
    return proven.get();
}

// False: the proof isn't there, or isn't what the record is about.
bool prove(Profile& profile, const RecordPlace& place) {
    if (profile.proof.empty() || profile.proof.find('/') != profile.proof.npos) return false;
    const std::string text = read_believed(place, place.folder + "/" + profile.proof);
    if (text.empty() || name_of_proof(text) != profile.proof) return false;
    const Proven* proof = kept_proof(text);
    if (proof == nullptr) return false;
    profile.traits.prove_by(proof);
    profile.left = proof->left();
    return true;
}

std::optional<Profile> profile_in(const RecordPlace& place, Tool tool, const BuildIdentity& build) {
    const std::string text = read_believed(place, place.file);
    for (const std::string_view line : split(text, '\n'))
        if (auto profile = parse_record(line, tool, build); profile && prove(*profile, place)) {
            profile->record = place.file;
            return profile;
        }
    return {};
}

}  // namespace

std::string name_of_proof(std::string_view text) {
    return fmt::format("proof-{:016x}", unit_of(text));
}

std::optional<RecordPlace> place_to_write() {
    if (geteuid() == 0) return roots_place();
    return own_place();
}

std::optional<Profile> qualified_profile(Tool tool, const BuildIdentity& build) {
    if (auto profile = profile_in(roots_place(), tool, build)) return profile;
    const auto own = own_place();
    return own ? profile_in(*own, tool, build) : std::nullopt;
}

}  // namespace nlsh
