#include <gtest/gtest.h>

#include "parser/ip/refusal.h"
#include "parser/ip/test_commands.h"

namespace nlsh {
namespace {

// The message of a refused command and its status, as "STATUS MESSAGE"; else why it was declined.
std::string refusal(const std::string& line, Tool tool = Tool::ip) {
    const auto command = parse_line(tool, line);
    if (!command) return "declined: " + command.error().reason;
    const auto* refused = command->request.get_if<RefusedCommand>();
    if (refused == nullptr) return "a request";
    EXPECT_TRUE(command->is.read_only);
    return std::to_string(refused->status) + " " + refused->message;
}

TEST(Refusal, SaysWhatIproute2Says) {
    EXPECT_EQ(refusal("nosuch"), "1 Object \"nosuch\" is unknown, try \"ip help\".\n");
    EXPECT_EQ(refusal("nosuch", Tool::bridge),
              "255 Object \"nosuch\" is unknown, try \"bridge help\".\n");
    EXPECT_EQ(refusal("addr bogus"),
              "255 Command \"bogus\" is unknown, try \"ip address help\".\n");
    EXPECT_EQ(refusal("link bogus", Tool::bridge),
              "255 Command \"bogus\" is unknown, try \"bridge link help\".\n");
    EXPECT_EQ(refusal("link set v0 mtu"),
              "255 Command line is not complete. Try option \"help\"\n");
    EXPECT_EQ(refusal("link set v0 mtu x"),
              "255 Error: argument \"x\" is wrong: Invalid \"mtu\" value\n\n");
    EXPECT_EQ(refusal("route add 10.0.0.0/33 dev v0"),
              "1 Error: any valid prefix is expected rather than \"10.0.0.0/33\".\n");
    EXPECT_EQ(refusal("-6 route show 10.0.0.0/8"),
              "1 Error: inet6 prefix is expected rather than \"10.0.0.0/8\".\n");
}

TEST(Refusal, OfLinks) {
    EXPECT_EQ(refusal("link set v0 mtu 1400 mtu x"),
              "255 Error: duplicate \"mtu\": \"x\" is the second value.\n");
    EXPECT_EQ(refusal("link set v0 address 02:100"), "1 \"100\" is invalid lladdr.\n");
    EXPECT_EQ(refusal("link show master"),
              "255 Command line is not complete. Try option \"help\"\n");
    EXPECT_EQ(refusal("link show a/b"), "1 Device \"a/b\" does not exist.\n");
    EXPECT_EQ(refusal("tunnel foo"), "255 Command \"foo\" is unknown, try \"ip tunnel help\"\n");
}

TEST(Refusal, NotOfWhatStrtoulTakes) {
    for (const char* line : {"link set v0 mtu +1", "link set v0 mtu -1", "rule add pref +1"}) {
        EXPECT_TRUE(refusal(line).starts_with("declined")) << line;
    }
}

TEST(Refusal, NotAfterALookup) {
    for (const char* line : {"link set v0 master br0 mtu x", "address show master br0 scope x",
                             "nexthop list master br0 id x"}) {
        EXPECT_TRUE(refusal(line).starts_with("declined")) << line;
    }
}

TEST(Refusal, AfterALookupOfItsDevices) {
    using Lookup = RefusedCommand::Lookup;
    const Lookup nexthop{"v0", "Error: argument \"v0\" is wrong: Device does not exist\n\n"};
    const Lookup bridge{"v0", "Cannot find bridge device \"v0\"\n"};
    const Lookup network{"v0", "Cannot find network device \"v0\"\n"};
    const struct {
        Tool tool;
        const char* line;
        std::vector<Lookup> lookups;
        const char* refusal;
    } rows[] = {
        {Tool::ip,
         "nexthop add dev v0 id x",
         {nexthop},
         "255 Error: argument \"x\" is wrong: invalid id value\n"},
        {Tool::ip, "address add 10.0.0.2/24 dev v0 valid_lft 0", {{"v0"}}, "1 valid_lft is zero\n"},
        {Tool::ip,
         "ntable change name arp_cache dev v0 queue -1",
         {{"v0"}},
         "255 Error: argument \"-1\" is wrong: \"queue\" value is invalid\n"},
        {Tool::bridge, "vlan add dev v0 vid 20-10", {bridge}, "255 Invalid VLAN range \"20-10\"\n"},
        {Tool::bridge, "vlan set dev v0 vid 5000", {network}, "255 Invalid VLAN ID \"5000\"\n"},
        {Tool::bridge,
         "vlan set dev v0 state 3",
         {network},
         "255 Device and VLAN ID are required arguments.\n"},
        {Tool::bridge,
         "mdb add dev br0 port v0 grp 239.1",
         {{"br0"}, {"v0"}},
         "255 Invalid address \"239.1\"\n"},
    };
    for (const auto& row : rows) {
        EXPECT_EQ(refusal(row.line, row.tool), row.refusal);
        const auto command = parse_line(row.tool, row.line);
        const auto* refused = command ? command->request.get_if<RefusedCommand>() : nullptr;
        ASSERT_NE(refused, nullptr) << row.line;
        EXPECT_EQ(refused->lookups, row.lookups) << row.line;
    }
}

TEST(Refusal, OfPartsOfAWord) {
    EXPECT_EQ(refusal("nexthop add id 1 group 1,2/x"),
              "255 Error: argument \"1\" is wrong: \"group\" value is invalid\n\n");
    EXPECT_EQ(refusal("nexthop add id 1 group 1/2,300"),
              "255 Error: argument \"300\" is wrong: \"weight\" is invalid\n\n");
    EXPECT_EQ(refusal("maddress add foo dev v0"),
              "1 Error: Invalid address length 1 - must be 6 bytes\n");
    EXPECT_EQ(refusal("rule add pref -1"),
              "255 Error: argument \"-1\" is wrong: preference value is invalid\n\n");
}

TEST(Refusal, NeverOfHelpAndNeverInABatch) {
    for (const char* line : {"link help", "route add h", "address show help", "help", "moo"}) {
        EXPECT_TRUE(refusal(line).starts_with("declined")) << line;
    }
    const std::vector<std::string> words{"link", "bogus"};
    EXPECT_FALSE(parse_batch_line(Options{}, words, NameTables::built_in()));
}

}  // namespace
}  // namespace nlsh
