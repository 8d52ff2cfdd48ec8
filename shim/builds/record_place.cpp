#include "shim/builds/record_place.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>

#include "backend/descriptor.h"
#include "backend/read_file.h"

namespace nlsh {
namespace {

constexpr size_t largest = size_t{4} << 20;
constexpr const char* first_file = "/var/lib/nlsh/qualified";
constexpr const char* second_file = "/run/nlsh/qualified";

std::string folder_of(const std::string& path) {
    return path.substr(0, std::max<size_t>(path.rfind('/'), 1));
}

RecordPlace place_of(const std::string& file, uid_t owner) {
    return {.folder = folder_of(file), .file = file, .owner = owner};
}

std::vector<RecordPlace> roots_places() {
    if (const char* given = secure_getenv("NLSH_BUILDS"); given != nullptr && *given == '/')
        return {place_of(given, 0)};
    return {place_of(first_file, 0), place_of(second_file, 0)};
}

// Nothing: this is root, a setuid program, or a user without a home.
std::optional<RecordPlace> own_place() {
    const uid_t user = geteuid();
    if (user == 0 || getuid() != user) return {};
    const char* cache = secure_getenv("XDG_CACHE_HOME");
    const char* home = secure_getenv("HOME");
    if (cache != nullptr && *cache == '/')
        return place_of(std::string(cache) + "/nlsh/qualified", user);
    if (home == nullptr || *home != '/') return {};
    return place_of(std::string(home) + "/.cache/nlsh/qualified", user);
}

bool is_alone(const struct stat& status, uid_t owner) {
    return status.st_uid == owner && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

// In a folder that others may write, they could put another one in the place of this one, unless it
// is sticky as /tmp is.
bool is_kept_by(const std::string& folder, uid_t owner) {
    struct stat status;
    if (stat(folder.c_str(), &status) != 0) return false;
    return (status.st_mode & S_ISVTX) != 0 || is_alone(status, owner) || is_alone(status, 0);
}

bool is_believed(const RecordPlace& place) {
    struct stat status;
    if (lstat(place.folder.c_str(), &status) != 0) return false;
    return S_ISDIR(status.st_mode) && is_alone(status, place.owner) &&
           is_kept_by(folder_of(place.folder), place.owner);
}

// Empty: files can be made there; otherwise the reason.
std::string prepare(const RecordPlace& place) {
    std::error_code ignored;
    std::filesystem::create_directories(folder_of(place.folder), ignored);
    constexpr mode_t readable = 0755;
    if (mkdir(place.folder.c_str(), readable) == 0 && place.owner == 0)
        chmod(place.folder.c_str(), readable);  // whatever the umask is: it is for all users
    if (access(place.folder.c_str(), W_OK | X_OK) != 0)
        return fmt::format("{}: {}", place.folder, strerror(errno));
    if (!is_believed(place)) return place.folder + ": others may write there";
    return {};
}

}  // namespace

std::vector<RecordPlace> places_to_read() {
    std::vector<RecordPlace> places = roots_places();
    if (auto own = own_place()) places.push_back(*std::move(own));
    return places;
}

std::expected<RecordPlace, std::string> place_to_write() {
    std::vector<RecordPlace> places;
    if (geteuid() == 0) places = roots_places();
    if (auto own = own_place()) places.push_back(*std::move(own));
    std::string reason = "no home to keep a record in";
    for (RecordPlace& place : places) {
        std::string failure = prepare(place);
        if (failure.empty()) return std::move(place);
        if (&place == &places.front()) reason = std::move(failure);
    }
    return std::unexpected(reason);
}

std::string read_believed(const RecordPlace& place, const std::string& path) {
    struct stat status;
    if (!is_believed(place)) return {};
    const Descriptor file = open_file(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (!file || fstat(file.get(), &status) != 0) return {};
    if (!S_ISREG(status.st_mode) || !is_alone(status, place.owner)) return {};
    return read_all(file, largest);
}

std::string write_believed(const std::string& path, std::string_view text) {
    constexpr mode_t readable = 0644;
    const std::string fresh = fmt::format("{}.{}", path, getpid());
    unlink(fresh.c_str());
    errno = 0;
    const Descriptor file =
        open_file(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, readable);
    const bool written =
        file && fchmod(file.get(), readable) == 0 &&
        write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
    if (written && rename(fresh.c_str(), path.c_str()) == 0) return {};
    const int error = file && errno == 0 ? ENOSPC : errno;  // a part was written
    unlink(fresh.c_str());
    return fmt::format("{}: {}", path, strerror(error));
}

}  // namespace nlsh
