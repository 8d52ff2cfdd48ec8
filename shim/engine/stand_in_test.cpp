#include "shim/engine/stand_in.h"

#include <gtest/gtest.h>

namespace nlsh {
namespace {

std::string replaced(std::string_view line) {
    const auto tool = [](std::string_view word) -> std::optional<Tool> {
        if (word == "ip" || word == "/sbin/ip") return Tool::ip;
        if (word == "bridge") return Tool::bridge;
        return {};
    };
    return stand_in(line, "/n", tool).value_or("-");
}

TEST(StandIn, PlainBatches) {
    EXPECT_EQ(replaced("ip -batch -"), "/n ip -batch -");
    EXPECT_EQ(replaced(" /sbin/ip  -force -b - 2>/dev/null"), "/n ip  -force -b - 2>/dev/null");
    EXPECT_EQ(replaced("bridge -batch - > /tmp/x 2>&1"), "/n bridge -batch - > /tmp/x 2>&1");
    EXPECT_EQ(replaced("ip >>x -j -batch -"), "/n ip >>x -j -batch -");
}

TEST(StandIn, NothingElse) {
    for (const char* line :
         {"", "ip", "ip link", "./ip -batch -", "ip -batch - &", "ip -batch - | cat",
          "A=1 ip -batch -", "ip -batch - <x", "ip -batch $X", "ip -batch '-'", ">x ip -batch -",
          "ip -batch - ; true", "ip -batch - >&x", "ip -batch -\nip link", "ip -batch - 3>x",
          "ip -batch - >", "ip -bogus -batch -", "tc -batch -"}) {
        EXPECT_EQ(replaced(line), "-") << line;
    }
}

}  // namespace
}  // namespace nlsh
