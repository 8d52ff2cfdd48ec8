#include "shim/replay/qualify_builds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "parser/text.h"
#include "shim/builds/build_identity.h"
#include "shim/builds/build_record.h"
#include "shim/builds/qualified_record.h"
#include "shim/builds/reference.h"
#include "shim/replay/attempts.h"

namespace nlsh {
namespace {

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

// Records of other builds, which another caller's $NLSH_REAL_IP may name. The newest stay.
std::string other_records(const RecordPlace& place, std::string_view fresh) {
    constexpr size_t kept_max = 6;
    std::string others;
    size_t kept = 0;
    const std::string text = read_believed(place, place.file);
    for (const std::string_view line : split(text, '\n')) {
        const std::string_view key = line.substr(0, line.find(" version="));
        if (key.empty() || kept == kept_max || fresh.contains(key)) continue;
        others.append(line).append("\n");
        ++kept;
    }
    return others;
}

// Proofs that no record names any more, and files that were being written by processes that died.
void remove_old_files(const RecordPlace& place, std::string_view records) {
    const std::string written = std::string(base_name(place.file)) + ".";
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(place.folder, error)) {
        const std::string name = entry.path().filename();
        const bool unnamed = name.starts_with("proof-") && !records.contains(name);
        if (unnamed || name.starts_with(written) || name.starts_with("tried."))
            std::filesystem::remove(entry.path(), error);
    }
}

struct Installed {
    Tool tool;
    std::string path;
    std::optional<BuildIdentity> build;  // nothing: there is none, or it is no ELF file
};

std::array<Installed, 2> installed_builds() {
    std::array<Installed, 2> both{{{Tool::ip, {}, {}}, {Tool::bridge, {}, {}}}};
    for (Installed& each : both) {
        each.path = reference_path(each.tool);
        each.build = identify(each.path);
    }
    return both;
}

bool is_unknown(const Installed& each) {
    return each.build && !is_written(each.tool, each.build->build_id);
}

}  // namespace

bool unknown_build_installed() {
    return std::ranges::any_of(installed_builds(), is_unknown);
}

bool qualification_needed() {
    return std::ranges::any_of(installed_builds(), [](const Installed& each) {
        return is_unknown(each) && !qualified_profile(each.tool, *each.build);
    });
}

std::string key_of_builds() {
    std::string key;
    for (const Installed& each : installed_builds())
        if (each.build) key += record_key(each.tool, *each.build) + "\n";
    return key;
}

std::expected<QualifyingPlace, std::string> qualifying_place() {
    constexpr std::chrono::minutes longest(10);  // as ask.cpp
    auto place = place_to_write();
    if (!place) return std::unexpected(place.error());
    auto lock = lock_place(*place, longest);
    if (!lock) return std::unexpected("another one runs");
    return QualifyingPlace{std::move(*place), std::move(*lock)};
}

std::expected<Qualification, std::string> qualify_builds(const QualifyingPlace& here,
                                                         const std::function<void(double)>& done) {
    const RecordPlace& place = here.place;
    const auto installed = installed_builds();
    auto found = qualify(installed[0].path, installed[1].path, done);
    if (!found) return found;
    std::string text;
    for (const auto& [tool, path, build] : installed) {
        const auto& qualified = found->tools[static_cast<size_t>(tool)];
        if (!build || !qualified || qualified->counts.same == 0) continue;
        const auto line = qualified_line(tool, path, *build, *qualified, place);
        if (!line) return std::unexpected(line.error());
        text += *line;
    }
    text += other_records(place, text);
    if (std::string failure = write_believed(place.file, text); !failure.empty())
        return std::unexpected(std::move(failure));
    remove_old_files(place, text);
    if (!qualification_needed()) forget_attempts(place);
    return found;
}

}  // namespace nlsh
