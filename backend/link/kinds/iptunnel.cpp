// IPIP, SIT, IP6TNL and VTI.
#include <fmt/format.h>
#include <linux/if_link.h>
#include <linux/if_tunnel.h>
#include <linux/ip6_tunnel.h>
#include <netinet/in.h>

#include "backend/link/kinds/tunnel_fields.h"
#include "backend/render/format.h"

namespace nlsh {
namespace {

void print_protocol(const KindOutput& output, const Field& field, Attribute value, bool ipv6) {
    std::string_view word;
    switch (value.u8()) {
        case 0:
            word = "any";
            break;
        case IPPROTO_IPIP:
            word = ipv6 ? "ipip6" : "ipip";
            break;
        case IPPROTO_IPV6:
            word = ipv6 ? "ip6ip6" : "ip6ip";
            break;
        case IPPROTO_MPLS:
            if (!ipv6) word = "mplsip";
            break;
        default:
            break;
    }
    if (word.empty()) output.context.hand_over("unknown protocol of a tunnel");
    output.printer.string(field.key, {}, word, " ");
}

template <bool Ipv6>
void print_mode(const KindOutput& output, const Field& field, Attribute value) {
    print_protocol(output, field, value, Ipv6);
}

// The prefix of RFC 5969, and what of the IPv4 addresses isn't in it.
void print_6rd(const KindOutput& output, const Field&, Attribute value) {
    if (value.u16() == 0) return;
    Printer& printer = output.printer;
    const Attribute prefix = output.attributes[IFLA_IPTUN_6RD_PREFIX];
    printer.string("prefix", "6rd-prefix ", format_address(AF_INET6, prefix.bytes()), "");
    printer.number("prefixlen", "/", value.u16(), " ");
    const Attribute relay = output.attributes[IFLA_IPTUN_6RD_RELAY_PREFIX];
    if (relay.u32() == 0) return;
    const uint16_t length = output.attributes[IFLA_IPTUN_6RD_RELAY_PREFIXLEN].u16();
    printer.string("relay_prefix", "6rd-relay_prefix ", format_address(AF_INET, relay.bytes()), "");
    printer.number("relay_prefixlen", "/", length, " ");
}

constexpr Field ipv4_table[] = {
    {IFLA_IPTUN_COLLECT_METADATA, print_presence, "external", "external"},
    {IFLA_IPTUN_PROTO, print_mode<false>, "proto", ""},
    {IFLA_IPTUN_REMOTE, print_endpoint, "remote", "remote"},
    {IFLA_IPTUN_LOCAL, print_endpoint, "local", "local"},
    {IFLA_IPTUN_LINK, print_device_if_set, "link", "dev"},
    {IFLA_IPTUN_TTL, print_tunnel_ttl, "ttl", "ttl"},
    {IFLA_IPTUN_TOS, print_tos, "tos", "tos"},
    {IFLA_IPTUN_PMTUDISC, print_negatable, "pmtudisc", "pmtudisc"},
    {IFLA_IPTUN_FLAGS, print_if_flag<SIT_ISATAP>, "isatap", "isatap"},
    {IFLA_IPTUN_6RD_PREFIXLEN, print_6rd, "", ""},
    {IFLA_IPTUN_FWMARK, print_hex_if_set, "fwmark", "fwmark"},
    {IFLA_IPTUN_ENCAP_TYPE, print_encapsulation, "", ""},
};

constexpr Field ipv6_table[] = {
    {IFLA_IPTUN_COLLECT_METADATA, print_presence, "external", "external"},
    {IFLA_IPTUN_PROTO, print_mode<true>, "proto", ""},
    {IFLA_IPTUN_REMOTE, print_endpoint, "remote", "remote"},
    {IFLA_IPTUN_LOCAL, print_endpoint, "local", "local"},
    {IFLA_IPTUN_LINK, print_device_if_set, "link", "dev"},
    {IFLA_IPTUN_TTL, print_tunnel_ttl, "ttl", "hoplimit"},
    {IFLA_IPTUN_ENCAP_LIMIT, print_by_flags<print_encap_limit, IFLA_IPTUN_FLAGS>, "", ""},
    {IFLA_IPTUN_FLOWINFO, print_by_flags<print_traffic_class, IFLA_IPTUN_FLAGS>, "", ""},
    {IFLA_IPTUN_FLOWINFO, print_by_flags<print_tunnel_flow_label, IFLA_IPTUN_FLAGS>, "", ""},
    {IFLA_IPTUN_FLAGS, print_if_flag<IP6_TNL_F_RCV_DSCP_COPY>, "ip6_tnl_f_rcv_dscp_copy",
     "dscp inherit"},
    {IFLA_IPTUN_FLAGS, print_if_flag<IP6_TNL_F_ALLOW_LOCAL_REMOTE>, "ip6_tnl_f_allow_local_remote",
     "allow-localremote"},
    {IFLA_IPTUN_FWMARK, print_hex_if_set, "fwmark", "fwmark"},
    {IFLA_IPTUN_ENCAP_TYPE, print_encapsulation, "", ""},
};

constexpr Field vti_table[] = {
    {IFLA_VTI_REMOTE, print_endpoint, "remote", "remote"},
    {IFLA_VTI_LOCAL, print_endpoint, "local", "local"},
    {IFLA_VTI_LINK, print_device_if_set, "link", "dev"},
    {IFLA_VTI_IKEY, print_inet_if_set, "ikey", "ikey"},
    {IFLA_VTI_OKEY, print_inet_if_set, "okey", "okey"},
    {IFLA_VTI_FWMARK, print_hex_if_set, "fwmark", "fwmark"},
};

}  // namespace

const std::span<const Field> iptun_fields = ipv4_table;
const std::span<const Field> ip6tnl_fields = ipv6_table;
const std::span<const Field> vti_fields = vti_table;

}  // namespace nlsh
