#include "shim/builds/build_record.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "parser/ip/command.h"
#include "parser/ip/traits/trait_names.h"
#include "parser/text.h"
#include "shim/builds/probe/probe.h"
#include "shim/builds/probe/probe_lines.h"
#include "shim/builds/record_place.h"
#include "shim/builds/reference.h"
#include "shim/builds/version.h"

namespace nlsh {
namespace {

// A text as one word: bytes that aren't plain become hexadecimal.
bool is_plain(unsigned char byte) {
    return byte > ' ' && byte < 0x7f && byte != '%';
}

std::string escaped(std::string_view text) {
    std::string word;
    for (const char each : text) {
        const auto byte = static_cast<unsigned char>(each);
        word += is_plain(byte) ? std::string(1, each) : fmt::format("%{:02x}", byte);
    }
    return word;
}

// Nothing: we didn't write it.
std::optional<std::string> unescaped(std::string_view word) {
    std::string text;
    while (!word.empty()) {
        const size_t size = word[0] == '%' ? 3 : 1;
        uint8_t byte = static_cast<uint8_t>(word[0]);
        if (word.size() < size) return {};
        if (size == 3) {
            const auto [end, error] = std::from_chars(&word[1], &word[0] + size, byte, 16);
            if (error != std::errc() || end != &word[0] + size) return {};
        }
        text += static_cast<char>(byte);
        word.remove_prefix(size);
    }
    return text;
}

bool set_traits(Traits& traits, std::string_view names, bool on) {
    for (const std::string_view name : split(names, ',')) {
        const auto trait = trait_named(name);
        if (!trait) return false;
        traits.set(*trait, on);
    }
    return true;
}

bool leave_objects(Profile& profile, Tool tool, std::string_view names) {
    for (const std::string_view name : split(names, ',')) {
        const auto objects = objects_of(tool);
        const auto place = std::ranges::find(objects, name, &Object::name);
        if (place == objects.end()) return false;
        profile.traits.leave(static_cast<size_t>(place - objects.begin()));
        profile.left.emplace_back(name);
    }
    return true;
}

std::string names_of(const Traits& traits, Traits::Answer answer) {
    std::vector<std::string_view> names;
    for (const TraitRow& row : trait_rows)
        if (row.trait != Trait::always && traits[row.trait] == answer) names.push_back(row.name);
    return fmt::format("{}", fmt::join(names, ","));
}

// Whether the tool exists and nothing is known of its build.
bool is_unknown(Tool tool, const std::string& path) {
    return identify(path) && !reference_profile(tool, path);
}

Profile profile_of(Probed probed, const std::string& path) {
    return {.version = reference_version(path),
            .build = {},
            .traits = probed.traits,
            .asked = true,
            .left = std::move(probed.left),
            .undecided = std::move(probed.undecided),
            .fdb_usage = std::move(probed.fdb_usage)};
}

}  // namespace

std::string build_record_path() {
    const char* given = secure_getenv("NLSH_BUILDS");
    return given != nullptr && *given == '/' ? given : "/var/lib/nlsh/builds";
}

std::string record_key(Tool tool, const BuildIdentity& build, bool by_recordings) {
    utsname system{};
    uname(&system);
    const std::string source = by_recordings
                                   ? "recordings " NLSH_RECORDINGS
                                   : fmt::format("{} {}", system.release, probe_lines().size());
    return fmt::format("{} {} {} {}.{:09} {} {}-{}", tool == Tool::ip ? "ip" : "bridge",
                       build.build_id.empty() ? "-" : build.build_id, build.size,
                       build.modified.tv_sec, build.modified.tv_nsec, source, own_version(),
                       static_cast<int>(Trait::count));
}

std::string record_line(Tool tool, const BuildIdentity& build, const Profile& profile) {
    std::vector<std::string_view> undecided;
    undecided.reserve(profile.undecided.size());
    for (const Trait trait : profile.undecided)
        undecided.push_back(trait_name(trait));
    return fmt::format("{} version={} yes={} no={} open={} left={} proof={} fdb_usage={}\n",
                       record_key(tool, build, !profile.proof.empty()), profile.version,
                       names_of(profile.traits, Traits::Answer::yes),
                       names_of(profile.traits, Traits::Answer::no), fmt::join(undecided, ","),
                       fmt::join(profile.left, ","), profile.proof, escaped(profile.fdb_usage));
}

std::optional<Profile> parse_record(std::string_view line, Tool tool, const BuildIdentity& build) {
    const bool by_recordings = line.contains(" proof=proof-");
    const std::string key = record_key(tool, build, by_recordings) + " version=";
    if (!line.starts_with(key)) return {};
    Profile profile{.version = {}, .build = {}, .traits = {}, .asked = true};
    line.remove_prefix(key.size());
    bool good = true;
    for (const std::string_view part : split(line, ' ')) {
        const size_t equals = part.find('=');
        const std::string_view name = part.substr(0, equals);
        const std::string_view value = equals == part.npos ? "" : part.substr(equals + 1);
        if (equals == part.npos) profile.version = part;
        if (name == "yes") good = good && set_traits(profile.traits, value, true);
        if (name == "no") good = good && set_traits(profile.traits, value, false);
        if (name == "proof") profile.proof = value;
        if (name == "left") good = good && leave_objects(profile, tool, value);
        if (name == "fdb_usage") {
            auto usage = unescaped(value);
            good = good && usage;
            profile.fdb_usage = std::move(usage).value_or("");
        }
        if (name != "open") continue;
        for (const std::string_view trait : split(value, ','))
            if (const auto known = trait_named(trait)) profile.undecided.push_back(*known);
    }
    if (!good) return {};
    profile.build = build.build_id.empty()
                        ? "a build without an id"
                        : fmt::format("the build {}", build.build_id.substr(0, 12));
    return profile;
}

std::optional<Profile> recorded_profile(Tool tool, const BuildIdentity& build) {
    const std::string path = build_record_path();
    const std::string text = read_believed(places_to_read().front(), path);
    for (const std::string_view line : split(text, '\n'))
        if (auto profile = parse_record(line, tool, build); profile && profile->proof.empty()) {
            profile->record = path;
            return profile;
        }
    return {};
}

std::string learn_builds() {
    const std::string ip = reference_path(Tool::ip), bridge = reference_path(Tool::bridge);
    const auto ip_build = identify(ip), bridge_build = identify(bridge);
    if (!is_unknown(Tool::ip, ip) && !is_unknown(Tool::bridge, bridge)) return {};
    auto tools = probe(ip, bridge);
    if (!tools) return "no network namespace to ask them in";
    std::string text;
    for (const Tool tool : {Tool::ip, Tool::bridge}) {
        const auto& build = tool == Tool::ip ? ip_build : bridge_build;
        const std::string& path = tool == Tool::ip ? ip : bridge;
        Probed& found = tools->found[static_cast<size_t>(tool)];
        if (!build || !found.iproute2 || is_written(tool, build->build_id)) continue;
        text += record_line(tool, *build, profile_of(std::move(found), path));
    }
    const std::string path = build_record_path();
    mkdir(path.substr(0, path.rfind('/')).c_str(), 0755);
    return write_believed(path, text);
}

}  // namespace nlsh
