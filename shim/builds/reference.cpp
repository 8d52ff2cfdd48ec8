#include "shim/builds/reference.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "backend/read_file.h"
#include "shim/builds/build_identity.h"
#include "shim/builds/noting.h"
#include "shim/builds/qualified_record.h"
#include "shim/builds/record_place.h"

namespace nlsh {
namespace {

constexpr const char* preferred_directory = "/usr/lib/nlsh/real/";  // nlsh-shim puts them there

bool same_file_as_us(const struct stat& status) {
    struct stat self;
    return stat("/proc/self/exe", &self) == 0 && self.st_dev == status.st_dev &&
           self.st_ino == status.st_ino;
}

bool usable(const std::string& path) {
    struct stat status;
    return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
           access(path.c_str(), X_OK) == 0 && !same_file_as_us(status);
}

// "6.15.0": three numbers; the first excludes versions of libraries in the file.
bool is_version(std::string_view text) {
    constexpr std::string_view digits = "0123456789";
    const size_t first = text.find('.');
    const size_t second = first == text.npos ? first : text.find('.', first + 1);
    return second != text.npos && text.find_first_not_of("0123456789.") == text.npos &&
           text.find('.', second + 1) == text.npos && first > 0 && text.front() >= '3' &&
           second > first + 1 && digits.find(text.back()) != digits.npos;
}

}  // namespace

std::string preferred_reference(Tool tool) {
    return std::string(preferred_directory) + (tool == Tool::ip ? "ip" : "bridge");
}

std::string reference_path(Tool tool) {
    const bool ip = tool == Tool::ip;
    if (const char* given = secure_getenv(ip ? "NLSH_REAL_IP" : "NLSH_REAL_BRIDGE");
        given != nullptr && usable(given)) {
        return given;
    }
    for (const char* directory :
         {preferred_directory, "/usr/sbin/", "/sbin/", "/usr/bin/", "/bin/"}) {
        std::string path = std::string(directory) + (ip ? "ip" : "bridge");
        if (usable(path)) return path;
    }
    return {};
}

std::optional<Profile> reference_profile(Tool tool, const std::string& path,
                                         const Observe& observe) {
    const auto build = identify(path);
    if (!build) return {};
    auto profile = written_profile(tool, build->build_id);
    if (!profile) {
        if (observe)
            for (const RecordPlace& place : places_to_read())
                observe(place.file);
        profile = qualified_profile(tool, *build);
    }
    if (const Proof* noting = noting_proof(); profile && noting != nullptr)
        profile->traits.prove_by(noting);
    return profile;
}

std::string reference_version(const std::string& path) {
    constexpr size_t largest = 16 << 20;
    const std::string file = read_file(path, largest);
    for (const std::string_view text : split_at_nul(file))
        if (is_version(text)) return std::string(text);
    return {};
}

const Reference& References::operator[](Tool tool) {
    std::optional<Reference>& known = known_[static_cast<size_t>(tool)];
    if (!known) {
        if (observe_) observe_(preferred_reference(tool));
        std::string path = reference_path(tool);
        if (observe_ && !path.empty()) observe_(path);
        auto profile = path.empty() ? std::nullopt : reference_profile(tool, path, observe_);
        known = Reference{.path = std::move(path), .profile = std::move(profile)};
    }
    return *known;
}

bool References::known() const {
    return std::ranges::none_of(
        known_, [](const auto& each) { return each && !each->profile.has_value(); });
}

Traits References::traits(Tool tool) {
    const auto& profile = (*this)[tool].profile;
    return profile ? profile->traits : Traits{};
}

std::string References::fdb_usage() {
    const auto& profile = (*this)[Tool::bridge].profile;
    return profile ? profile->fdb_usage : std::string();
}

Traits References::traits_of_names() {
    constexpr Trait place = Trait::names_in_usr_share;
    if (!(*this)[Tool::ip].profile) return traits(Tool::bridge);
    Traits traits = this->traits(Tool::ip);
    if ((*this)[Tool::bridge].profile && this->traits(Tool::bridge)[place] != traits[place])
        traits.forget(place);
    return traits;
}

}  // namespace nlsh
