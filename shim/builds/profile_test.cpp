// A build is known by its build id, never by what it calls itself.
#include "shim/builds/profile.h"

#include <gtest/gtest.h>

namespace nlsh {
namespace {

TEST(Profile, OfBuildsWrittenDown) {
    for (const WrittenBuild& build : written_builds()) {
        for (const Tool tool : {Tool::ip, Tool::bridge}) {
            const auto profile = written_profile(tool, build.id(tool));
            ASSERT_TRUE(profile) << build.build;
            EXPECT_EQ(profile->version, build.version);
            EXPECT_EQ(profile->traits, build.traits);
        }
    }
}

TEST(Profile, OfNoOther) {
    const std::string_view id = written_builds().front().ip;
    EXPECT_TRUE(written_profile(Tool::ip, id));
    EXPECT_FALSE(written_profile(Tool::bridge, id));
    EXPECT_FALSE(written_profile(Tool::ip, id.substr(1)));
    EXPECT_FALSE(written_profile(Tool::ip, ""));
    EXPECT_FALSE(written_profile(Tool::ip, "6.1.0"));
}

TEST(Profile, NewerBuildsHaveWhatOlderOnesLack) {
    EXPECT_NE(iproute2_6_1(), iproute2_6_15());
    EXPECT_TRUE(iproute2_6_15().lacks(Trait::fdb_protocol));
    for (const WrittenBuild& build : written_builds()) {
        EXPECT_TRUE(build.traits.all_known()) << build.build;
    }
}

}  // namespace
}  // namespace nlsh
