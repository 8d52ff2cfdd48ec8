// A build is known by its build id, never by what it calls itself.
#include "shim/builds/profile.h"

#include <gtest/gtest.h>

namespace nlsh {
namespace {

TEST(Profile, OfBuildsWrittenDown) {
    for (const WrittenBuild& build : written_builds()) {
        const auto profile = written_profile(build.tool, build.build_id);
        ASSERT_EQ(profile.has_value(), build.imitated) << build.build;
        if (!profile) continue;
        EXPECT_EQ(profile->version, build.version);
        EXPECT_EQ(profile->traits, build.traits);
    }
}

TEST(Profile, OfNoOther) {
    const std::string_view id = written_builds().front().build_id;
    EXPECT_TRUE(written_profile(Tool::ip, id));
    EXPECT_FALSE(written_profile(Tool::bridge, id));
    EXPECT_FALSE(written_profile(Tool::ip, id.substr(1)));
    EXPECT_FALSE(written_profile(Tool::ip, ""));
    EXPECT_FALSE(written_profile(Tool::ip, "6.1.0"));
}

TEST(Profile, NewerBuildsHaveWhatOlderOnesLack) {
    EXPECT_NE(iproute2_6_1(), iproute2_6_15());
    EXPECT_TRUE(iproute2_6_15().lacks(first_after_6_15));
    for (const WrittenBuild& build : written_builds()) {
        if (!build.imitated) continue;
        for (auto i = uint8_t{0}; i < static_cast<uint8_t>(Trait::count); ++i)
            EXPECT_NE(build.traits[static_cast<Trait>(i)], Traits::Answer::unknown) << int{i};
    }
}

}  // namespace
}  // namespace nlsh
