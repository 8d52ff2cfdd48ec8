#include "shim/engine/reference.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "backend/read_file.h"
#include "shim/engine/build_identity.h"
#include "shim/engine/build_record.h"

namespace nlsh {
namespace {

constexpr Tool tools[] = {Tool::ip, Tool::bridge};

constexpr const char* preferred_directory = "/usr/lib/nlsh/real/";  // nlsh-shim puts them there
constexpr const char* usual_directory = "/usr/sbin/";

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

// "6.15.0": three numbers; the first tells it from those of libraries in the file.
bool is_version(std::string_view text) {
    constexpr std::string_view digits = "0123456789";
    const size_t first = text.find('.');
    const size_t second = first == text.npos ? first : text.find('.', first + 1);
    return second != text.npos && text.find_first_not_of("0123456789.") == text.npos &&
           text.find('.', second + 1) == text.npos && first > 0 && text.front() >= '3' &&
           second > first + 1 && digits.find(text.back()) != digits.npos;
}

std::string name_of(Tool tool) {
    return tool == Tool::ip ? "ip" : "bridge";
}

std::string wish(Tool tool) {
    const char* given = secure_getenv(tool == Tool::ip ? "NLSH_REAL_IP" : "NLSH_REAL_BRIDGE");
    return given == nullptr ? "" : given;
}

std::optional<Profile> profile_of(Tool tool, const BuildIdentity& build) {
    if (is_written(tool, build.build_id)) return written_profile(tool, build.build_id);
    return recorded_profile(tool, build);
}

// A profile that was found out is kept in a file, which changes; and in a place before the path's
// own another one may come.
bool is_settled(Tool tool, const Reference& found, const BuildIdentity& build) {
    const bool first = found.wish.empty() ? found.path == preferred_reference(tool) ||
                                                found.path == usual_directory + name_of(tool)
                                          : found.path == found.wish;
    return first && is_written(tool, build.build_id);
}

Reference look_up(Tool tool, std::string path) {
    Reference found{.path = std::move(path), .profile = {}, .wish = wish(tool)};
    const auto build = found.path.empty() ? std::nullopt : identify(found.path);
    if (!build) return found;
    found.profile = profile_of(tool, *build);
    found.settled = is_settled(tool, found, *build);
    return found;
}

}  // namespace

std::string preferred_reference(Tool tool) {
    return preferred_directory + name_of(tool);
}

std::string reference_path(Tool tool) {
    if (std::string given = wish(tool); !given.empty() && usable(given)) return given;
    for (const char* directory :
         {preferred_directory, usual_directory, "/sbin/", "/usr/bin/", "/bin/"}) {
        std::string path = directory + name_of(tool);
        if (usable(path)) return path;
    }
    return {};
}

std::optional<Profile> reference_profile(Tool tool, const std::string& path) {
    const auto build = identify(path);
    return build ? profile_of(tool, *build) : std::nullopt;
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
        known = look_up(tool, std::move(path));
    }
    return *known;
}

bool References::settled() const {
    return std::ranges::all_of(tools, [this](Tool tool) {
        const auto& known = known_[static_cast<size_t>(tool)];
        return !known || (known->settled && known->wish == wish(tool));
    });
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
