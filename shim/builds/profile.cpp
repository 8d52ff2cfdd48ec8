#include "shim/builds/profile.h"

#include <algorithm>

namespace nlsh {
namespace {

// Of amd64, unless another architecture is named.
constexpr WrittenBuild builds[] = {
    {.version = "6.1.0",
     .build = "Debian 12's 6.1.0-3",
     .traits = iproute2_6_1(),
     .ip = "d93c2d4976d45950591ef53ddc236c4667f554de",
     .bridge = "93eaabdbca0fd46669cbe83a3b954ef8ec09e718"},
    {.version = "6.1.0",
     .build = "Debian 12's 6.1.0-3 for arm64",
     .traits = iproute2_6_1(),
     .ip = "0a13962fd042f7a580dee6661d79e77dbe4d2706",
     .bridge = "17131bcea8226d54821adc82398053cdb968c076"},
    {.version = "6.15.0",
     .build = "Debian 13's 6.15.0-1",
     .traits = iproute2_6_15(),
     .ip = "809d80a9c9d1ef9b4f6898c6168bf804e4d49e04",
     .bridge = "13501bd647c2df8be9bda68b5a20dfaaa9da4eb7"},
    {.version = "6.15.0",
     .build = "Debian 12's 6.15.0-1~bpo12+1",
     .traits = iproute2_6_15(),
     .ip = "c2eb3eae4772e91b0339ce2a8d90b1fdbb626460",
     .bridge = "46773129aedd58b36cc3e6dbd6a95ede4b18ee4b"},
    {.version = "5.10.0",
     .build = "Debian 11's 5.10.0-4",
     .traits = iproute2_5_10(),
     .ip = "17e161b83141b35c6fa20487ce0d93e6bf75cd82",
     .bridge = "459201474310682355683df264b63b54908a9336"},
};

const WrittenBuild* find(Tool tool, std::string_view build_id) {
    const auto* const found = std::ranges::find_if(
        builds, [&](const WrittenBuild& each) { return each.id(tool) == build_id; });
    return found == std::end(builds) ? nullptr : found;
}

}  // namespace

std::span<const WrittenBuild> written_builds() {
    return builds;
}

bool is_written(Tool tool, std::string_view build_id) {
    return find(tool, build_id) != nullptr;
}

std::optional<Profile> written_profile(Tool tool, std::string_view build_id) {
    const WrittenBuild* const found = find(tool, build_id);
    if (found == nullptr) return {};
    return Profile{.version = std::string(found->version),
                   .build = std::string(found->build),
                   .traits = found->traits};
}

}  // namespace nlsh
