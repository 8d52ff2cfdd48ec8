// What builds have answered is kept for exactly those builds.
#include "shim/builds/build_record.h"

#include <gtest/gtest.h>

namespace nlsh {
namespace {

const BuildIdentity build{
    .build_id = "ab01ff", .size = 1000, .modified = {.tv_sec = 5, .tv_nsec = 7}};

Profile some_profile() {
    Profile profile{.version = "6.17.0", .build = {}, .traits = {}};
    profile.traits.set(Trait::echo_option, true);
    profile.traits.set(Trait::fdb_protocol, false);
    profile.undecided = {Trait::bridge_root_id};
    profile.fdb_usage = "Usage: bridge fdb { add }\n\t[ 100% ]\n";
    return profile;
}

TEST(BuildRecord, IsReadAsItWasWritten) {
    const Profile profile = some_profile();
    std::string line = record_line(Tool::ip, build, profile);
    ASSERT_EQ(line.back(), '\n');
    line.pop_back();
    const auto read = parse_record(line, Tool::ip, build);
    ASSERT_TRUE(read) << line;
    EXPECT_EQ(read->version, "6.17.0");
    EXPECT_EQ(read->traits, profile.traits);
    EXPECT_EQ(read->undecided, profile.undecided);
    EXPECT_EQ(read->fdb_usage, profile.fdb_usage);
}

TEST(BuildRecord, IsOfNoOtherBuild) {
    std::string line = record_line(Tool::ip, build, some_profile());
    line.pop_back();
    EXPECT_FALSE(parse_record(line, Tool::bridge, build));
    for (const BuildIdentity& other :
         {BuildIdentity{"ab01fe", 1000, {5, 7}}, BuildIdentity{"ab01ff", 1001, {5, 7}},
          BuildIdentity{"ab01ff", 1000, {5, 8}}, BuildIdentity{"", 1000, {5, 7}}})
        EXPECT_FALSE(parse_record(line, Tool::ip, other));
    EXPECT_FALSE(parse_record(line.substr(1), Tool::ip, build));
    EXPECT_FALSE(parse_record("", Tool::ip, build));
}

TEST(BuildRecord, OfUnknownWordsDoesNotCount) {
    for (const char* word : {" yes=nosuch", " no=nosuch", " fdb_usage=%2"}) {
        std::string line = record_line(Tool::ip, build, some_profile());
        line.pop_back();
        EXPECT_FALSE(parse_record(line + word, Tool::ip, build)) << word;
    }
}

}  // namespace
}  // namespace nlsh
