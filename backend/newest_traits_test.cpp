// Shows and words that came with iproute2 6.17 to 7.3, by trait; and the fallback of a line if nlsh
// doesn't know whether the build has the trait.
#include "backend/traits_test.h"

#include <arpa/inet.h>
#include <linux/if_arp.h>
#include <linux/if_bridge.h>
#include <linux/if_link.h>
#include <linux/neighbour.h>
#include <linux/nexthop.h>
#include <sys/socket.h>

#include "backend/objects/bridge/words/fdb.h"
#include "backend/objects/link/words/link.h"
#include "backend/objects/neighbor/words/neighbor.h"
#include "backend/objects/ntable/words/ntable.h"
#include "backend/objects/stats/words/stats.h"
#include "parser/ip/newer_kernel.h"
#include "parser/ip/test_commands.h"

namespace nlsh {
namespace {

Message link_of(uint32_t group, const std::function<void(Message&)>& fill) {
    ifinfomsg header{};
    header.ifi_type = ARPHRD_ETHER;
    header.ifi_index = 1;
    Message message(RTM_NEWLINK, NLM_F_MULTI, header);
    message.put_string(IFLA_IFNAME, "d1");
    message.put_u32(IFLA_GROUP, group);
    fill(message);
    return message;
}

class TraitsOfNewest : public TraitsOfShows {
  protected:
    std::string details(const Message& link, std::string_view mark) {
        return behind(shown(Tool::ip, {"-d", "link", "show"}, {link}), mark);
    }
};

TEST_F(TraitsOfNewest, GroupsAreFilteredFirst) {
    const Message link = link_of(5, [](Message&) {});
    const auto show = [&](const Line& words) {
        return [this, words, link] { return shown(Tool::ip, words, {link}); };
    };
    expect(Trait::group_filter_first, show({"-j", "link", "show", "group", "7"}), "[{}]\n", "[]\n");
    expect(Trait::group_filter_first, show({"-j", "-p", "link", "show", "group", "7"}), "[ {} ]\n",
           "[ ]\n");
    traits = iproute2_7_3();
    EXPECT_TRUE(show({"-j", "link", "show", "group", "5"})().contains("\"ifindex\":1"));
}

TEST_F(TraitsOfNewest, LinksThatCantLeaveTheirNamespace) {
    const Message link = link_of(0, [](Message& message) {
        message.put_u32(IFLA_MAX_MTU, 9);
        message.put_u8(newer::IFLA_NETNS_IMMUTABLE, 1);
    });
    expect(
        Trait::netns_immutable, [&] { return details(link, "maxmtu "); }, "9", "9 netns-immutable");
    expect(
        Trait::netns_immutable,
        [&] { return behind(shown(Tool::ip, {"-d", "-j", "link", "show"}, {link}), "max_mtu\":"); },
        "9}]", "9,\"netns-immutable\":true}]");
    const Message other =
        link_of(0, [](Message& message) { message.put_u8(newer::IFLA_NETNS_IMMUTABLE, 0); });
    traits = iproute2_7_3();
    EXPECT_FALSE(details(other, {}).contains("netns"));
}

}  // namespace
}  // namespace nlsh
