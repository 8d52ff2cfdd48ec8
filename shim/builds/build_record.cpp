#include "shim/builds/build_record.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

#include "parser/ip/traits/trait_names.h"
#include "parser/text.h"
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
            constexpr int hexadecimal = 16;
            if (!read_number(word.substr(1, 2), byte, hexadecimal)) return {};
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

std::string names_of(const Traits& traits, Traits::Answer answer) {
    std::vector<std::string_view> names;
    for (const TraitRow& row : trait_rows)
        if (row.trait != Trait::always && traits[row.trait] == answer) names.push_back(row.name);
    return fmt::format("{}", fmt::join(names, ","));
}

}  // namespace

std::string record_key(Tool tool, const BuildIdentity& build) {
    return fmt::format("{} {} {} {}.{:09} recordings " NLSH_RECORDINGS " {}-{}",
                       tool == Tool::ip ? "ip" : "bridge",
                       build.build_id.empty() ? "-" : build.build_id, build.size,
                       build.modified.tv_sec, build.modified.tv_nsec, own_version(),
                       static_cast<int>(Trait::count));
}

std::string record_line(Tool tool, const BuildIdentity& build, const Profile& profile) {
    std::vector<std::string_view> undecided;
    undecided.reserve(profile.undecided.size());
    for (const Trait trait : profile.undecided)
        undecided.push_back(trait_name(trait));
    return fmt::format("{} version={} yes={} no={} open={} proof={} fdb_usage={}\n",
                       record_key(tool, build), profile.version,
                       names_of(profile.traits, Traits::Answer::yes),
                       names_of(profile.traits, Traits::Answer::no), fmt::join(undecided, ","),
                       profile.proof, escaped(profile.fdb_usage));
}

std::optional<Profile> parse_record(std::string_view line, Tool tool, const BuildIdentity& build) {
    const std::string key = record_key(tool, build) + " version=";
    if (!line.starts_with(key)) return {};
    Profile profile{.version = {}, .build = {}, .traits = {}};
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

}  // namespace nlsh
