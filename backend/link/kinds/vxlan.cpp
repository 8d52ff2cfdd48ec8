// VXLAN devices.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <linux/if_link.h>
#include <netinet/in.h>

#include <algorithm>

#include "backend/link/kinds/field.h"
#include "backend/link/kinds/tunnel_fields.h"
#include "backend/render/format.h"

namespace nlsh {
namespace {

bool is_multicast(Bytes address) {
    if (address.empty()) return false;
    return address.size() == 4 ? (address[0] & 0xf0) == 0xe0 : address[0] == 0xff;
}

// A group or a remote host; keys of IPv6 end in 6.
void print_group(const KindOutput& output, const Field& field, Attribute value) {
    const Bytes address = value.bytes();
    if (std::ranges::all_of(address, [](uint8_t byte) { return byte == 0; })) return;
    const std::string_view word = is_multicast(address) ? "group" : "remote";
    const std::string key = fmt::format("{}{}", word, address.size() == 16 ? "6" : "");
    print_inet(output, {field.attribute, field.print, key, word}, value);
}

void print_local(const KindOutput& output, const Field& field, Attribute value) {
    const Bytes address = value.bytes();
    if (std::ranges::any_of(address, [](uint8_t byte) { return byte != 0; })) {
        print_inet(output, field, value);
    }
}

void print_port_range(const KindOutput& output, const Field& field, Attribute value) {
    const auto range = value.as<ifla_vxlan_port_range>();
    output.printer.open_object(field.key);
    output.printer.number("low", "srcport ", ntohs(range.low), " ");
    output.printer.number("high", {}, ntohs(range.high), " ");
    output.printer.close_object();
}

// JSON always; text only `nolearning`.
void print_learning(const KindOutput& output, const Field& field, Attribute value) {
    const bool on = value.u8() != 0;
    output.printer.boolean(field.key, on ? "" : "nolearning ", on);
}

// Without the blank that all others have after them.
void print_vni_filter(const KindOutput& output, const Field& field, Attribute value) {
    if (value.u8() != 0) output.printer.boolean(field.key, "vnifilter");
}

void print_ageing(const KindOutput& output, const Field& field, Attribute value) {
    if (value.u32() == 0 && output.printer.text_mode()) return output.printer.text("ageing none ");
    print_number(output, field, value);
}

constexpr Field table[] = {
    {IFLA_VXLAN_COLLECT_METADATA, print_flag, "external", "external"},
    {IFLA_VXLAN_VNIFILTER, print_vni_filter, "vnifilter", "vnifilter"},
    {IFLA_VXLAN_ID, print_number, "id", "id"},
    {IFLA_VXLAN_GROUP, print_group, "", ""},
    {IFLA_VXLAN_GROUP6, print_group, "", ""},
    {IFLA_VXLAN_LOCAL, print_local, "local", "local"},
    {IFLA_VXLAN_LOCAL6, print_local, "local6", "local"},
    {IFLA_VXLAN_LINK, print_device_if_set, "link", "dev"},
    {IFLA_VXLAN_PORT_RANGE, print_port_range, "port_range", "srcport"},
    {IFLA_VXLAN_PORT, print_network_port, "port", "dstport"},
    {IFLA_VXLAN_LEARNING, print_learning, "learning", ""},
    {IFLA_VXLAN_PROXY, print_flag, "proxy", "proxy"},
    {IFLA_VXLAN_RSC, print_flag, "rsc", "rsc"},
    {IFLA_VXLAN_L2MISS, print_flag, "l2miss", "l2miss"},
    {IFLA_VXLAN_L3MISS, print_flag, "l3miss", "l3miss"},
    {IFLA_VXLAN_TOS, print_tos, "tos", "tos"},
    {IFLA_VXLAN_TTL_INHERIT, print_ttl_inherit, "", ""},
    {IFLA_VXLAN_TTL, print_ttl<IFLA_VXLAN_TTL_INHERIT>, "ttl", "ttl"},
    {IFLA_VXLAN_DF, print_df, "df", "df"},
    {IFLA_VXLAN_LABEL, print_flow_label, "label", "flowlabel"},
    {IFLA_VXLAN_AGEING, print_ageing, "ageing", "ageing"},
    {IFLA_VXLAN_LIMIT, print_number_if_set, "limit", "maxaddr"},
    {IFLA_VXLAN_UDP_CSUM, print_negatable, "udp_csum", "udpcsum"},
    {IFLA_VXLAN_UDP_ZERO_CSUM6_TX, print_negatable, "udp_zero_csum6_tx", "udp6zerocsumtx"},
    {IFLA_VXLAN_UDP_ZERO_CSUM6_RX, print_negatable, "udp_zero_csum6_rx", "udp6zerocsumrx"},
    {IFLA_VXLAN_REMCSUM_TX, print_flag, "remcsum_tx", "remcsumtx"},
    {IFLA_VXLAN_REMCSUM_RX, print_flag, "remcsum_rx", "remcsumrx"},
    {IFLA_VXLAN_GBP, print_presence, "gbp", "gbp"},
    {IFLA_VXLAN_GPE, print_presence, "gpe", "gpe"},
};

}  // namespace

const std::span<const Field> vxlan_fields = table;

}  // namespace nlsh
