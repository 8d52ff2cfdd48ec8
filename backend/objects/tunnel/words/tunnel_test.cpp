#include "backend/objects/tunnel/words/tunnel.h"
#include "backend/objects/tunnel/words/tuntap.h"

#include <gmock/gmock.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <linux/if_tunnel.h>
#include <linux/sockios.h>
#include <netinet/in.h>

#include <cstring>
#include "parser/ip/test_commands.h"

namespace nlsh {
namespace {

ip_tunnel_parm parameters(const std::string& bytes) {
    ip_tunnel_parm value{};
    EXPECT_EQ(bytes.size(), sizeof value);
    std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof value));
    return value;
}

TEST(Tunnel, AddAsksTheFallbackDevice) {
    const auto command = requested("tunnel add t1 mode gre remote 1.2.3.4 key 5 ttl 7 dev v0");
    ASSERT_TRUE(command);
    const auto& change = command->request.get<TunnelChange>();
    EXPECT_EQ(change.device, "gre0");
    EXPECT_EQ(change.link, "v0");
    const auto tunnel = parameters(change.parameters);
    EXPECT_STREQ(tunnel.name, "t1");
    EXPECT_EQ(tunnel.i_flags, GRE_KEY);
    EXPECT_EQ(tunnel.iph.ttl, 7);
    EXPECT_EQ(tunnel.iph.protocol, IPPROTO_GRE);
    EXPECT_TRUE(change.mask.empty());
}

TEST(Tunnel, AChangeSaysWhichBitsItSets) {
    const auto command = requested("tunnel change t1 ttl 7");
    ASSERT_TRUE(command);
    const auto& change = command->request.get<TunnelChange>();
    EXPECT_EQ(change.device, "t1");
    const auto mask = parameters(change.mask);
    EXPECT_EQ(mask.iph.ttl, 0xff);
    EXPECT_EQ(mask.iph.daddr, 0U);
    EXPECT_EQ(mask.iph.version, 0);
}

TEST(Tunnel, LeavesWhatIproute2RefusesOrReadsInItsOwnWay) {
    for (const char* line :
         {"tunnel add", "tunnel add t1", "tunnel add t mode gre", "tunnel add t1 mode ip6ip6",
          "tunnel add t1 mode ipip key 5", "tunnel add t1 mode gre ttl 5 nopmtudisc",
          "tunnel change mode gre t1", "tunnel del", "tunnel show mode gre", "-M tunnel show",
          "-6 tunnel prl dev x prl-default 1.2.3.4", "tunnel prl dev x", "tunnel 6rd dev x"}) {
        EXPECT_FALSE(requested(line)) << line;
    }
}

TEST(Tuntap, FlagsAndPersistence) {
    const auto command = requested("tuntap add dev u1 mode tap multi_queue user 7");
    ASSERT_TRUE(command);
    const auto& change = command->request.get<TuntapChange>();
    EXPECT_TRUE(change.persist);
    EXPECT_EQ(change.flags, IFF_TAP | IFF_NO_PI | IFF_TUN_EXCL | IFF_MULTI_QUEUE);
    EXPECT_EQ(change.owner, 7U);
    EXPECT_FALSE(requested("tuntap add u1"));
    EXPECT_FALSE(requested("tuntap add u1 m tun"));
    EXPECT_FALSE(requested("tuntap add u1 mode tun user nobody"));
    EXPECT_FALSE(requested("-d tuntap"));
}

}  // namespace
}  // namespace nlsh
