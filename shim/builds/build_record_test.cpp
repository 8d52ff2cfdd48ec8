// What builds have answered is kept for exactly those builds.
#include "shim/builds/build_record.h"

#include <gtest/gtest.h>

#include "parser/ip/command.h"
#include "shim/builds/probe/probe.h"
#include "shim/builds/probe/probe_rows.h"

namespace nlsh {
namespace {

const BuildIdentity build{
    .build_id = "ab01ff", .size = 1000, .modified = {.tv_sec = 5, .tv_nsec = 7}};

Profile some_profile() {
    Profile profile{.version = "6.17.0", .build = {}, .traits = {}, .asked = true};
    profile.traits.set(Trait::echo_option, true);
    profile.traits.set(Trait::fdb_protocol, false);
    profile.traits.leave(0);
    profile.left = {std::string(objects_of(Tool::ip)[0]->name)};
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
    EXPECT_EQ(read->left, profile.left);
    EXPECT_EQ(read->undecided, profile.undecided);
    EXPECT_EQ(read->fdb_usage, profile.fdb_usage);
    EXPECT_TRUE(read->asked);
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
    for (const char* word : {" yes=nosuch", " no=nosuch", " left=nosuch", " fdb_usage=%2"}) {
        std::string line = record_line(Tool::ip, build, some_profile());
        line.pop_back();
        EXPECT_FALSE(parse_record(line + word, Tool::ip, build)) << word;
    }
}

// The same answer to every question.
std::vector<std::string> all_say(const std::string& answer) {
    return std::vector<std::string>(probe_rows().size(), answer);
}

TEST(Probe, NothingIsKnownOfABuildThatSaysNothing) {
    for (const Tool tool : {Tool::ip, Tool::bridge}) {
        for (const char* answer : {"", "^status 139\n"}) {
            const Probed probed = judge(tool, all_say(answer));
            EXPECT_FALSE(probed.traits.has(Trait::one_blank_before_allmulti));
            EXPECT_EQ(probed.traits[Trait::garbage_without_article], Traits::Answer::unknown);
            EXPECT_FALSE(probed.undecided.empty());
        }
    }
}

TEST(Probe, WhatContradictsItselfIsNotKnown) {
    const Probed probed =
        judge(Tool::ip, all_say("^\"x\" is a garbage. \"x\" is garbage.\nstatus 255\n"));
    EXPECT_EQ(probed.traits[Trait::garbage_without_article], Traits::Answer::unknown);
    // Its usage names it, and the word is garbage.
    std::vector<std::string> answers;
    for (const ProbeRow& row : probe_rows())
        answers.emplace_back(row.command == "bridge fdb help"
                                 ? "^Usage: [ proto P ]\nstatus 255\n"
                                 : "^\"proto\" is garbage.\nstatus 255\n");
    EXPECT_EQ(judge(Tool::bridge, answers).traits[Trait::fdb_protocol], Traits::Answer::unknown);
    for (size_t i = 0; i < answers.size(); ++i)
        if (probe_rows()[i].command.ends_with("proto hw")) answers[i] = "^status 0\n";
    EXPECT_TRUE(judge(Tool::bridge, answers).traits.has(Trait::fdb_protocol));
}

}  // namespace
}  // namespace nlsh
