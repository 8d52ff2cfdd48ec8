#include "backend/objects/monitor/words/monitor.h"
#include "parser/ip/refusal.h"

#include <gtest/gtest.h>

#include "parser/ip/test_commands.h"

namespace nlsh {
namespace {

std::optional<Monitor> parse(Tool tool, const char* line) {
    const auto command = parse_line(tool, line);
    const auto* monitor = command ? command->request.get_if<Monitor>() : nullptr;
    return monitor != nullptr ? std::optional(*monitor) : std::nullopt;
}

TEST(Monitor, AllOfBridgeIsNarrowedDownByWhatComesAfterIt) {
    constexpr uint16_t usual = monitor_link | monitor_fdb | monitor_mdb;
    constexpr uint16_t small = monitor_vlan | monitor_vni;
    EXPECT_EQ(parse(Tool::bridge, "monitor"), (Monitor{.objects = usual}));
    EXPECT_EQ(parse(Tool::bridge, "monitor all"),
              (Monitor{.objects = usual | small, .labels = true}));
    EXPECT_EQ(parse(Tool::bridge, "monitor link all"),
              (Monitor{.objects = usual | small, .labels = true}));
    EXPECT_EQ(parse(Tool::bridge, "monitor all link"),
              (Monitor{.objects = monitor_link | small, .labels = true}));
    EXPECT_EQ(parse(Tool::bridge, "monitor v"), (Monitor{.objects = monitor_vlan}));
}

TEST(Monitor, AllOfIpIsALabel) {
    EXPECT_EQ(parse(Tool::ip, "monitor all link"),
              (Monitor{.objects = monitor_link, .labels = true}));
    EXPECT_EQ(parse(Tool::ip, "-j monitor al dev v0 n"),
              (Monitor{.objects = monitor_neighbor, .all_namespaces = true, .device = "v0"}));
    EXPECT_EQ(parse(Tool::ip, "monitor r f x")->file, "x");
}

TEST(Monitor, WhatItDoesntKnowIsRefused) {
    for (const char* line : {"monitor help", "monitor h"})
        EXPECT_FALSE(parse(Tool::ip, line)) << line;
    const NameTables names = NameTables::built_in();
    const std::vector<std::string> words{"monitor", "sta"};
    const auto command = parse_command(Tool::ip, words, names);
    ASSERT_TRUE(command);
    EXPECT_EQ(command->request.get<RefusedCommand>().message,
              "Argument \"sta\" is unknown, try \"ip monitor help\".\n");
}

}  // namespace
}  // namespace nlsh
