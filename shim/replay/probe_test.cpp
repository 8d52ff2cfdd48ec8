#include "shim/replay/probe.h"

#include <gtest/gtest.h>

namespace nlsh {
namespace {

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
