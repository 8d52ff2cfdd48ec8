// GRE and ERSPAN, over IPv4 and IPv6.
#include <fmt/format.h>
#include <linux/if_link.h>
#include <linux/if_tunnel.h>
#include <linux/ip6_tunnel.h>

#include "backend/link/kinds/tunnel_fields.h"

namespace nlsh {
namespace {

void print_mtu_discovery(const KindOutput& output, const Field& field, Attribute value) {
    const bool on = value.u8() != 0;
    output.printer.boolean(field.key, on ? "" : "nopmtudisc ", on);
}

// A key counts when its flag is set.
template <uint16_t Flags>
void print_key(const KindOutput& output, const Field& field, Attribute value) {
    if ((output.attributes[Flags].u16() & GRE_KEY) != 0) print_inet(output, field, value);
}

constexpr std::string_view directions[] = {"ingress", "egress"};

constexpr Field ipv4_table[] = {
    {IFLA_GRE_COLLECT_METADATA, print_presence, "external", "external"},
    {IFLA_GRE_REMOTE, print_endpoint, "remote", "remote"},
    {IFLA_GRE_LOCAL, print_endpoint, "local", "local"},
    {IFLA_GRE_LINK, print_device_if_set, "link", "dev"},
    {IFLA_GRE_TTL, print_tunnel_ttl, "ttl", "ttl"},
    {IFLA_GRE_TOS, print_tos, "tos", "tos"},
    {IFLA_GRE_PMTUDISC, print_mtu_discovery, "pmtudisc", ""},
    {IFLA_GRE_IGNORE_DF, print_flag, "ignore_df", "ignore-df"},
    {IFLA_GRE_IKEY, print_key<IFLA_GRE_IFLAGS>, "ikey", "ikey"},
    {IFLA_GRE_OKEY, print_key<IFLA_GRE_OFLAGS>, "okey", "okey"},
    {IFLA_GRE_IFLAGS, print_if_flag<GRE_SEQ>, "iseq", "iseq"},
    {IFLA_GRE_OFLAGS, print_if_flag<GRE_SEQ>, "oseq", "oseq"},
    {IFLA_GRE_IFLAGS, print_if_flag<GRE_CSUM>, "icsum", "icsum"},
    {IFLA_GRE_OFLAGS, print_if_flag<GRE_CSUM>, "ocsum", "ocsum"},
    {IFLA_GRE_FWMARK, print_hex_if_set, "fwmark", "fwmark"},
    {IFLA_GRE_ERSPAN_INDEX, print_number, "erspan_index", "erspan_index"},
    {IFLA_GRE_ERSPAN_VER, print_number, "erspan_ver", "erspan_ver"},
    {IFLA_GRE_ERSPAN_DIR, print_word, "erspan_dir", "erspan_dir", directions},
    {IFLA_GRE_ERSPAN_HWID, print_hex_mask, "erspan_hwid", "erspan_hwid"},
    {IFLA_GRE_ENCAP_TYPE, print_encapsulation, "", ""},
};

constexpr Field ipv6_table[] = {
    {IFLA_GRE_COLLECT_METADATA, print_presence, "external", "external"},
    {IFLA_GRE_REMOTE, print_endpoint, "remote", "remote"},
    {IFLA_GRE_LOCAL, print_endpoint, "local", "local"},
    {IFLA_GRE_LINK, print_device_if_set, "link", "dev"},
    {IFLA_GRE_TTL, print_tunnel_ttl, "ttl", "hoplimit"},
    {IFLA_GRE_ENCAP_LIMIT, print_by_flags<print_encap_limit, IFLA_GRE_FLAGS>, "", ""},
    {IFLA_GRE_FLOWINFO, print_by_flags<print_traffic_class, IFLA_GRE_FLAGS>, "", ""},
    {IFLA_GRE_FLOWINFO, print_by_flags<print_tunnel_flow_label, IFLA_GRE_FLAGS>, "", ""},
    {IFLA_GRE_FLAGS, print_if_flag<IP6_TNL_F_RCV_DSCP_COPY>, "ip6_tnl_f_rcv_dscp_copy",
     "dscp inherit"},
    {IFLA_GRE_IKEY, print_key<IFLA_GRE_IFLAGS>, "ikey", "ikey"},
    {IFLA_GRE_OKEY, print_key<IFLA_GRE_OFLAGS>, "okey", "okey"},
    {IFLA_GRE_IFLAGS, print_if_flag<GRE_SEQ>, "iseq", "iseq"},
    {IFLA_GRE_OFLAGS, print_if_flag<GRE_SEQ>, "oseq", "oseq"},
    {IFLA_GRE_IFLAGS, print_if_flag<GRE_CSUM>, "icsum", "icsum"},
    {IFLA_GRE_OFLAGS, print_if_flag<GRE_CSUM>, "ocsum", "ocsum"},
    {IFLA_GRE_FLAGS, print_if_flag<IP6_TNL_F_ALLOW_LOCAL_REMOTE>, "ip6_tnl_f_allow_local_remote",
     "allow-localremote"},
    {IFLA_GRE_FWMARK, print_hex_if_set, "fwmark", "fwmark"},
    {IFLA_GRE_ERSPAN_INDEX, print_number, "erspan_index", "erspan_index"},
    {IFLA_GRE_ERSPAN_VER, print_number, "erspan_ver", "erspan_ver"},
    {IFLA_GRE_ERSPAN_DIR, print_word, "erspan_dir", "erspan_dir", directions},
    {IFLA_GRE_ERSPAN_HWID, print_hex_mask, "erspan_hwid", "erspan_hwid"},
    {IFLA_GRE_ENCAP_TYPE, print_encapsulation, "", ""},
};

}  // namespace

const std::span<const Field> gre_fields = ipv4_table;
const std::span<const Field> gre6_fields = ipv6_table;

}  // namespace nlsh
