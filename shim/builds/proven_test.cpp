#include "shim/builds/proven.h"

#include <gtest/gtest.h>

#include "backend/objects/link/kinds/kinds.h"
#include "parser/ip/command.h"

namespace nlsh {
namespace {

Proven some() {
    std::vector<uint64_t> units;
    for (const char* unit :
         {"ip link show| .", "ip link show| ~link", "ip link show| ~show", "ip link show| =mtu",
          "ip link show| -j .", "ip | ~-j", "ip link show| ~sh", "ip link show| -o .", "ip | ~-o",
          "ip link show|* ~list", "ip link show|* ~link",
          "ip object refused| !Object * is unknown, try *. ",
          "ip object refused| !Object * is unknown, try *.  ~foo"})
        units.push_back(unit_of(unit));
    return {std::move(units), {"link", "list", "show", "up", "-j"}, {"ip link show| -d"}};
}

std::string objection(const std::vector<std::string>& words) {
    const Proven proven = some();
    Traits traits = iproute2_6_1();
    traits.prove_by(&proven);
    const auto command =
        parse_command(Tool::ip, words, NameTables::built_in(), link_kinds(), traits);
    return command ? "" : command.error().reason;
}

TEST(Proven, SurvivesItsText) {
    const auto read = Proven::parse(some().text());
    ASSERT_TRUE(read);
    EXPECT_EQ(read->text(), some().text());
    EXPECT_TRUE(read->prints("ip link show|", "mtu"));
    EXPECT_FALSE(read->prints("ip link show| -d", "mtu"));
    EXPECT_FALSE(read->enters_namespaces());
    EXPECT_TRUE(Proven({unit_of("ip | ~-netns")}, {}, {}).enters_namespaces());
    EXPECT_EQ(read->left(), std::vector<std::string>{"ip link show| -d"});
}

TEST(Proven, IsNothingWhenCutOff) {
    const std::string text = some().text();
    for (size_t size = 0; size + 1 < text.size(); ++size)
        EXPECT_FALSE(Proven::parse(text.substr(0, size))) << size;
}

TEST(Proven, IsNothingWithAStrangeLine) {
    std::string text = some().text();
    text.insert(text.rfind("end"), "0123\n");
    EXPECT_FALSE(Proven::parse(text));
}

TEST(Proven, ObjectsToWhatIsNotProven) {
    EXPECT_EQ(objection({"link", "show"}), "");
    EXPECT_EQ(objection({"link", "show", "eth0"}), "");
    EXPECT_EQ(objection({"link", "show", "up"}), "up isn't proven of this iproute2: ip link show|");
    EXPECT_EQ(objection({"-d", "link", "show"}),
              "the command isn't proven of this iproute2: ip link show| -d");
    // In another mode, in which the command is proven, but not its words.
    EXPECT_EQ(objection({"-j", "link", "show"}),
              "show isn't proven of this iproute2: ip link show| -j");
}

TEST(Proven, TakesWordsInShortAsRecorded) {
    EXPECT_EQ(objection({"link", "sh"}), "");
    EXPECT_EQ(objection({"link", "sho"}), "sho isn't proven of this iproute2: ip link show|");
}

TEST(Proven, TakesWordsOfAllModes) {
    EXPECT_EQ(objection({"-j", "link", "list"}), "");
    EXPECT_EQ(objection({"-o", "link", "list"}), "");
    EXPECT_EQ(objection({"-o", "link", "show"}),
              "show isn't proven of this iproute2: ip link show| -o");
    EXPECT_EQ(in_all_modes("ip link show| -d -j ~mtu"), "ip link show|* ~mtu");
    EXPECT_EQ(in_all_modes("ip link refused| -j !Error: * ~mtu"),
              "ip link refused|* !Error: * ~mtu");
    for (const char* other :
         {"ip link show| -d =mtu", "ip link show| .", "ip | ~-d", "ip link show", ""})
        EXPECT_EQ(in_all_modes(other), "") << other;
}

TEST(Proven, TakesARefusalByItsWords) {
    EXPECT_EQ(objection({"foo"}), "");
    EXPECT_EQ(objection({"bar"}).find("bar isn't proven of this iproute2: ip object refused|"), 0);
    EXPECT_EQ(objection({"link", "foo"}).find("Command * is unknown"), 0);
}

// Words behind the bad one aren't read, if that is proven of the word before it.
TEST(Proven, TakesARefusalByItsBeginning) {
    Proven proven(
        {unit_of("ip neigh refused|* !Error: any valid prefix is expected rather than *. "),
         unit_of("ip neigh refused| !Error: any valid prefix is expected rather than *. "),
         unit_of("ip neigh refused|* !Error: any valid prefix is expected rather than *. "
                 " ~neigh"),
         unit_of("ip neigh refused|* !Error: any valid prefix is expected rather than *. "
                 " ~show"),
         unit_of("ip neigh refused|* !Error: any valid prefix is expected rather than *. "
                 " ~to"),
         unit_of("ip neigh refused|* !Error: any valid prefix is expected rather than *. "
                 " ~to ...")},
        {"neigh", "nud", "show", "to"}, {});
    Traits traits = iproute2_6_1();
    traits.prove_by(&proven);
    const auto is_native = [&](const std::vector<std::string>& words) {
        return parse_command(Tool::ip, words, NameTables::built_in(), link_kinds(), traits)
            .has_value();
    };
    EXPECT_TRUE(is_native({"neigh", "show", "to", "v0/0"}));
    EXPECT_TRUE(is_native({"neigh", "show", "to", "v0/0", "nud", "stale"}));
    EXPECT_FALSE(is_native({"neigh", "show", "nud", "stale", "to", "v0/0"}));
    EXPECT_FALSE(is_native({"neigh", "show", "v0/0", "nud", "stale"}));
}

}  // namespace
}  // namespace nlsh
