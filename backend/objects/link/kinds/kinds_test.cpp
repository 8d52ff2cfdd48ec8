// Details of links that no available kernel makes. The expected text is what iproute2 6.1.0 printed
// for the same messages.
#include "backend/traits_test.h"

#include <linux/if.h>
#include <linux/if_link.h>
#include <linux/if_tunnel.h>
#include <net/if_arp.h>

namespace nlsh {
namespace {

struct Value {
    uint16_t type;
    std::string bytes;
};

std::string bytes(auto... values) {
    return {static_cast<char>(values)...};
}

// A link d7 of a kind with these options.
Message link(const char* kind, const std::vector<Value>& options) {
    ifinfomsg header{};
    header.ifi_type = ARPHRD_TUNNEL;
    header.ifi_index = 7;
    header.ifi_flags = IFF_NOARP;
    Message message(RTM_NEWLINK, 0, header);
    message.put_string(IFLA_IFNAME, "d7");
    message.put_u32(IFLA_MTU, 1480);
    const size_t info = message.begin_nest(IFLA_LINKINFO);
    message.put_string(IFLA_INFO_KIND, kind);
    const size_t data = message.begin_nest(IFLA_INFO_DATA);
    for (const Value& option : options)
        message.put_bytes(option.type, option.bytes);
    message.end_nest(data);
    message.end_nest(info);
    return message;
}

class DetailsOfKinds : public TraitsOfShows {
  protected:
    std::string shown(const Message& message, bool json) {
        traits = iproute2_6_1();
        Line words{"-d", "link", "show", "d7"};
        if (json) words.insert(words.begin(), "-j");
        const std::string text = TraitsOfShows::shown(Tool::ip, words, {message});
        EXPECT_EQ(status, 0);
        return text;
    }
};

const std::vector<Value> ends{{IFLA_IPTUN_LOCAL, bytes(10, 0, 0, 1)},
                              {IFLA_IPTUN_REMOTE, bytes(10, 0, 0, 2)},
                              {IFLA_IPTUN_TTL, bytes(0)},
                              {IFLA_IPTUN_TOS, bytes(0)},
                              {IFLA_IPTUN_PROTO, bytes(4)},
                              {IFLA_IPTUN_PMTUDISC, bytes(1)}};

std::vector<Value> with(std::vector<Value> options) {
    options.insert(options.begin(), ends.begin(), ends.end());
    return options;
}

constexpr const char* text_head = "7: d7: <NOARP> mtu 1480 \n    link/ipip \n    ";
constexpr const char* json_head =
    R"([{"ifindex":7,"ifname":"d7","flags":["NOARP"],"mtu":1480,"link_type":"ipip","linkinfo":)";
constexpr const char* text_ends = " ipip remote 10.0.0.2 local 10.0.0.1 ttl inherit pmtudisc ";
constexpr const char* json_ends =
    R"("proto":"ipip","remote":"10.0.0.2","local":"10.0.0.1","ttl":0,"pmtudisc":true,)";

TEST_F(DetailsOfKinds, UdpEncapsulation) {
    const Message message = link("ipip", with({{IFLA_IPTUN_ENCAP_TYPE, bytes(2, 0)},
                                               {IFLA_IPTUN_ENCAP_FLAGS, bytes(7, 0)},
                                               {IFLA_IPTUN_ENCAP_SPORT, bytes(0, 0)},
                                               {IFLA_IPTUN_ENCAP_DPORT, bytes(0, 7)}}));
    EXPECT_EQ(
        shown(message, false),
        std::string(text_head) + "ipip" + text_ends +
            "encap gue encap-sport auto encap-dport 7 encap-csum encap-csum6 encap-remcsum \n");
    EXPECT_EQ(shown(message, true),
              std::string(json_head) + R"({"info_kind":"ipip","info_data":{)" + json_ends +
                  R"("encap":{"type":"gue","sport":0,"dport":7,"csum":true,"csum6":true,)"
                  R"("remcsum":true}}}}])"
                  "\n");
}

TEST_F(DetailsOfKinds, PrefixesOf6rd) {
    const std::string prefix("\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\0", 16);
    const Message message = link("sit", with({{IFLA_IPTUN_6RD_PREFIX, prefix},
                                              {IFLA_IPTUN_6RD_RELAY_PREFIX, bytes(10, 0, 0, 0)},
                                              {IFLA_IPTUN_6RD_PREFIXLEN, bytes(32, 0)},
                                              {IFLA_IPTUN_6RD_RELAY_PREFIXLEN, bytes(8, 0)},
                                              {IFLA_IPTUN_FWMARK, bytes(7, 0, 0, 0)},
                                              {IFLA_IPTUN_ENCAP_TYPE, bytes(1, 0)},
                                              {IFLA_IPTUN_ENCAP_FLAGS, bytes(0, 0)},
                                              {IFLA_IPTUN_ENCAP_SPORT, bytes(0, 3)},
                                              {IFLA_IPTUN_ENCAP_DPORT, bytes(0, 4)}}));
    EXPECT_EQ(shown(message, false),
              std::string(text_head) + "sit" + text_ends +
                  "6rd-prefix 2001:db8::/32 6rd-relay_prefix 10.0.0.0/8 fwmark 0x7 encap fou "
                  "encap-sport 3 encap-dport 4 noencap-csum noencap-csum6 noencap-remcsum \n");
    EXPECT_EQ(shown(message, true).substr(0, 300),
              (std::string(json_head) + R"({"info_kind":"sit","info_data":{)" + json_ends +
               R"("prefix":"2001:db8::","prefixlen":32,"relay_prefix":"10.0.0.0",)"
               R"("relay_prefixlen":8,"fwmark":"0x7","encap":{"type":"fou",)")
                  .substr(0, 300));
}

TEST_F(DetailsOfKinds, A6rdPrefixAlone) {
    const std::string prefix("\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\0", 16);
    const Message message = link("sit", with({{IFLA_IPTUN_6RD_PREFIX, prefix},
                                              {IFLA_IPTUN_6RD_RELAY_PREFIX, bytes(0, 0, 0, 0)},
                                              {IFLA_IPTUN_6RD_PREFIXLEN, bytes(32, 0)},
                                              {IFLA_IPTUN_6RD_RELAY_PREFIXLEN, bytes(8, 0)}}));
    EXPECT_EQ(shown(message, false),
              std::string(text_head) + "sit" + text_ends + "6rd-prefix 2001:db8::/32 \n");
}

}  // namespace
}  // namespace nlsh
