#include "shim/builds/qualified_record.h"

#include <fmt/format.h>

#include <memory>
#include <mutex>
#include <unordered_map>

#include "parser/text.h"
#include "shim/builds/build_record.h"
#include "shim/builds/proven.h"
#include "shim/builds/record_place.h"

namespace nlsh {
namespace {

// Kept for good: a line that was read by it may still run. Few come in a process's life.
// The file's name tells its text.
const Proven* kept_proof(const std::string& file, std::string_view text) {
    static std::mutex mutex;
    static std::unordered_map<std::string, std::unique_ptr<const Proven>> known;
    const std::scoped_lock lock(mutex);
    auto& proven = known[file];
    if (proven == nullptr)
        if (auto parsed = Proven::parse(text, file))
            proven = std::make_unique<const Proven>(*std::move(parsed));
    return proven.get();
}

// False: the proof isn't there, or isn't what the record is about.
bool prove(Profile& profile, const RecordPlace& place) {
    if (profile.proof.empty() || profile.proof.find('/') != profile.proof.npos) return false;
    const std::string file = place.folder + "/" + profile.proof;
    const std::string text = read_believed(place, file);
    if (text.empty() || name_of_proof(text) != profile.proof) return false;
    const Proven* proof = kept_proof(file, text);
    if (proof == nullptr) return false;
    profile.traits.prove_by(proof);
    profile.left = proof->differing();
    profile.left.insert(profile.left.end(), proof->left().begin(), proof->left().end());
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

std::optional<Profile> qualified_profile(Tool tool, const BuildIdentity& build) {
    for (const RecordPlace& place : places_to_read())
        if (auto profile = profile_in(place, tool, build)) return profile;
    return {};
}

}  // namespace nlsh
