// What `ip link set … vf N …` sends, compared with the real one (strace of 6.1.0). No device here
// has virtual functions, so the kernel refuses all requests alike.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <linux/if_link.h>

#include "backend/objects/link/words/link.h"
#include "parser/ip/bytes.h"
#include "parser/ip/test_commands.h"

namespace nlsh {
namespace {

std::string encoded(const LinkAttribute& attribute) {
    std::string payload;
    if (const auto* nest = std::get_if<LinkNest>(&attribute.value)) {
        for (const LinkAttribute& inner : nest->attributes)
            payload += encoded(inner);
    } else {
        payload = std::get<std::string>(attribute.value);
    }
    const auto size = static_cast<uint16_t>(payload.size() + 4);
    payload.resize((payload.size() + 3) & ~size_t{3});
    return bytes_of(size) + bytes_of(attribute.type) + payload;
}

// In hexadecimal without trailing zeros, or the reason for a fallback.
std::string sent(const std::string& words) {
    const auto command = parse_line(Tool::ip, "link set v0 " + words);
    if (!command) return command.error().reason;
    std::string text;
    for (const LinkAttribute& attribute : command->request.get<LinkChange>().attributes)
        for (const char byte : encoded(attribute))
            text += fmt::format("{:02x}", static_cast<uint8_t>(byte));
    return text.substr(0, text.find_last_not_of('0') + 1);
}

TEST(VirtualFunction, IsSentAsTheRealOneSendsIt) {
    EXPECT_EQ(sent("vf 0 mac 02:00:00:00:00:01"), "300016002c0001002800010000000000020000000001");
    EXPECT_EQ(sent("vf 1 vlan 5 qos 3"), "180016001400010010000200010000000500000003");
    EXPECT_EQ(sent("vf 1 vlan 5 qos 3 proto 802.1ad"),
              "200016001c00010018000c0014000100010000000500000003000000"
              "88a8");
    EXPECT_EQ(sent("vf 2 rate 100"), "14001600100001000c0003000200000064");
    EXPECT_EQ(sent("vf 3 max_tx_rate 10 min_tx_rate 5 spoofchk on"),
              "24001600200001000c00040003000000010000001000060003000000050000000a");
    EXPECT_EQ(sent("vf 0 state auto trust on query_rss off"),
              "2c001600280001000c00050000000000000000000c00090000000000010000000c0007");
    EXPECT_EQ(sent("vf 0 node_guid 00:11:22:33:44:55:66:77"),
              "1c0016001800010014000a00000000000000000077665544332211");
    const std::string zeros(26 * 2, '0');
    EXPECT_EQ(sent("vf 0 mac 02:00:00:00:00:01 vf 1 mac 02:00:00:00:00:02"),
              "300016002c0001002800010000000000020000000001" + zeros +
                  "300016002c0001002800010001000000020000000002");
}

TEST(VirtualFunction, IsLeftToTheRealOneWhereItAsksOrIsStrange) {
    EXPECT_EQ(sent("vf 0 max_tx_rate 10"), "vf: one of two rates");
    EXPECT_EQ(sent("vf 0 m 02:00:00:00:00:01"), "vf: a word in short");
    EXPECT_EQ(sent("vf 0 spoofchk on spoofchk off"), "vf: a word twice");
    EXPECT_EQ(sent("vf 0 vlan 5 proto 802.1ad vlan 7"), "vf: two VLANs");
    EXPECT_EQ(sent("vf 0"), "vf: nothing");
}

}  // namespace
}  // namespace nlsh
