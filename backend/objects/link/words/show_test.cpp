#include "backend/objects/link/words/show.h"

#include <gtest/gtest.h>

#include "parser/ip/test_commands.h"

namespace nlsh {
namespace {

Parsed<LinkShow> parse(std::vector<std::string> words) {
    const NameTables names = NameTables::built_in();
    words.insert(words.begin(), "link");
    const auto command = requests_only(parse_command(Tool::ip, words, names));
    if (!command) return std::unexpected(command.error());
    EXPECT_EQ(command->summary, "link show");
    EXPECT_TRUE(command->is.read_only);
    return command->request.get<LinkShow>();
}

TEST(LinkShow, ReadsSelections) {
    EXPECT_EQ(parse({})->selection.device, "");
    EXPECT_EQ(parse({"show", "eth0"})->selection.device, "eth0");
    EXPECT_EQ(parse({"ls", "dev", "up"})->selection.device, "up");
    const auto all = parse({"show", "up", "master", "br0", "group", "7", "type", "bridge_slave"});
    ASSERT_TRUE(all);
    EXPECT_TRUE(all->selection.up);
    EXPECT_EQ(all->selection.master, "br0");
    EXPECT_EQ(all->selection.group, 7U);
    EXPECT_EQ(all->selection.slave_kind, "bridge");
    EXPECT_EQ(all->selection.kind, "");
    EXPECT_EQ(parse({"show", "type", "vlan"})->selection.kind, "vlan");
    EXPECT_EQ(parse({"show", "vrf", "red"})->selection.vrf, "red");
    EXPECT_TRUE(parse({"show", "nomaster"})->selection.nomaster);
}

TEST(LinkShow, LeavesTheRestToTheRealOne) {
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"show", "a", "b"},
                                               {"show", "dev"},
                                               {"show", "type"},
                                               {"show", "help"},
                                               {"show", "h"},
                                               {"show", "-dynamic"},
                                               {"show", "scope", "global"},
                                               {"show", "group", "no such group"},
                                               {"show", "averyveryverylongname"},
                                               {"show", "master", "a", "vrf", "b"}}) {
        EXPECT_FALSE(parse(words)) << words.back();
    }
}

}  // namespace
}  // namespace nlsh
