#include "shim/replay/qualify_builds.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "backend/descriptor.h"
#include "shim/builds/build_identity.h"
#include "shim/builds/build_record.h"
#include "shim/builds/qualified_record.h"
#include "shim/builds/reference.h"

namespace nlsh {
namespace {

// A new file in the place of the old: no reader sees half of one, and two writers don't meet.
std::string write_believed(const std::string& path, const std::string& text) {
    const std::string fresh = fmt::format("{}.{}", path, getpid());
    mkdir(path.substr(0, path.rfind('/')).c_str(), 0755);
    unlink(fresh.c_str());
    errno = 0;
    const Descriptor file(
        open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644));
    const bool written =
        file && fchmod(file.get(), 0644) == 0 &&
        write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
    if (written && rename(fresh.c_str(), path.c_str()) == 0) return {};
    const int error = file && errno == 0 ? ENOSPC : errno;  // a part was written
    unlink(fresh.c_str());
    return fmt::format("{}: {}", path, strerror(error));
}

// Of one tool, its proof written; an error: why not.
std::expected<std::string, std::string> qualified_line(Tool tool, const std::string& path,
                                                       const BuildIdentity& build,
                                                       const Qualified& found,
                                                       const RecordPlace& place) {
    const std::string text = found.proven.text();
    Profile profile = found.profile;
    profile.version = reference_version(path);
    profile.proof = name_of_proof(text);
    if (const std::string failure = write_believed(place.folder + "/" + profile.proof, text);
        !failure.empty())
        return std::unexpected(failure);
    return record_line(tool, build, profile);
}

// Proofs that no record names any more.
void remove_old_proofs(const RecordPlace& place, std::string_view records) {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(place.folder, error)) {
        const std::string name = entry.path().filename();
        if (name.starts_with("proof-") && !records.contains(name))
            std::filesystem::remove(entry.path(), error);
    }
}

}  // namespace

std::expected<Qualification, std::string> qualify_builds(const std::function<void(double)>& done) {
    const auto place = place_to_write();
    if (!place) return std::unexpected("there is no place to keep it in");
    std::error_code ignored;
    std::filesystem::create_directories(place->folder, ignored);
    const Descriptor lock =
        open_file((place->folder + "/lock").c_str(), O_RDWR | O_CREAT | O_NOFOLLOW, 0600);
    if (!lock) return std::unexpected(fmt::format("{}: {}", place->folder, strerror(errno)));
    if (flock(lock.get(), LOCK_EX | LOCK_NB) != 0) return std::unexpected("another one runs");
    const std::string ip = reference_path(Tool::ip), bridge = reference_path(Tool::bridge);
    auto found = qualify(ip, bridge, done);
    if (!found) return found;
    std::string text;
    for (const Tool tool : {Tool::ip, Tool::bridge}) {
        const std::string& path = tool == Tool::ip ? ip : bridge;
        const auto build = identify(path);
        const auto& qualified = found->tools[static_cast<size_t>(tool)];
        if (!build || !qualified || qualified->counts.same == 0) continue;
        const auto line = qualified_line(tool, path, *build, *qualified, *place);
        if (!line) return std::unexpected(line.error());
        text += *line;
    }
    if (std::string failure = write_believed(place->file, text); !failure.empty())
        return std::unexpected(std::move(failure));
    remove_old_proofs(*place, text);
    return found;
}

}  // namespace nlsh
