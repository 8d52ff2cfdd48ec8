// The recorded builds of iproute2, as compat-tests/replay/pack names them.
#pragma once

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>

#include "parser/ip/traits/traits.h"

namespace nlsh {

struct RecordedBuild {
    std::string_view name;
    Release release;
    bool patched = false;  // SONiC's patch, played (compat-tests/builds/protocols.c)
};
inline constexpr RecordedBuild recorded_builds[] = {
    {"6.1-patched", Release::v6_1, true},
    {"6.15-patched", Release::v6_15, true},
    {"5.10", Release::v5_10},
    {"6.1", Release::v6_1},
    {"6.15", Release::v6_15},
    {"7.3", Release::v7_3},
};

// Nothing: no build has this name.
inline std::optional<Traits> traits_of_recorded(std::string_view build) {
    const auto* const found = std::ranges::find(recorded_builds, build, &RecordedBuild::name);
    if (found == std::end(recorded_builds)) return {};
    Traits traits = traits_of(found->release);
    if (found->patched) traits.set(Trait::fdb_protocol, true);
    return traits;
}

}  // namespace nlsh
