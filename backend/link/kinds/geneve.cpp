// GENEVE devices.
#include <linux/if_link.h>

#include "backend/link/kinds/tunnel_fields.h"

namespace nlsh {
namespace {

constexpr Field table[] = {
    {IFLA_GENEVE_COLLECT_METADATA, print_presence, "external", "external"},
    {IFLA_GENEVE_ID, print_number, "id", "id"},
    {IFLA_GENEVE_REMOTE, print_inet, "remote", "remote"},
    {IFLA_GENEVE_REMOTE6, print_inet, "remote6", "remote"},
    {IFLA_GENEVE_TTL_INHERIT, print_ttl_inherit, "", ""},
    {IFLA_GENEVE_TTL, print_ttl<IFLA_GENEVE_TTL_INHERIT>, "ttl", "ttl"},
    {IFLA_GENEVE_TOS, print_tos, "tos", "tos"},
    {IFLA_GENEVE_DF, print_df, "df", "df"},
    {IFLA_GENEVE_LABEL, print_flow_label, "label", "flowlabel"},
    {IFLA_GENEVE_PORT, print_network_port, "port", "dstport"},
    {IFLA_GENEVE_UDP_CSUM, print_negatable, "udp_csum", "udpcsum"},
    {IFLA_GENEVE_UDP_ZERO_CSUM6_TX, print_negatable, "udp_zero_csum6_tx", "udp6zerocsumtx"},
    {IFLA_GENEVE_UDP_ZERO_CSUM6_RX, print_negatable, "udp_zero_csum6_rx", "udp6zerocsumrx"},
    {IFLA_GENEVE_INNER_PROTO_INHERIT, print_presence, "inner_proto_inherit", "innerprotoinherit"},
};

}  // namespace

const std::span<const Field> geneve_fields = table;

}  // namespace nlsh
