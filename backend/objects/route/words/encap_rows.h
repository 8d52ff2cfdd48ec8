// The words of encapsulations: a row says how the value is read (encap.cpp here) and printed
// (encap.cpp of the folder above).
#pragma once

#include <linux/lwtunnel.h>
#include <linux/mpls_iptunnel.h>
#include <linux/seg6_local.h>

#include <cstdint>
#include <span>
#include <string_view>

namespace nlsh {

enum class EncapForm : uint8_t {
    id,    // 64 bits in network order
    end4,  // an endpoint of the tunnel
    end6,
    hops,           // u8
    traffic_class,  // u8, by name or number
    flag,           // sets a bit of the tunnel's flags; no value
    left,           // falls back
    // seg6local
    action,
    header,
    table,
    hop4,
    hop6,
    device,
    counters,  // no value
    flavors,
};

struct EncapRow {
    std::string_view word;  // spelt in full
    uint16_t type;          // the attribute, or the flag: TUNNEL_* in <linux/if_tunnel.h>
    EncapForm form;
    const char* complaint = nullptr;  // for a bad value, see Keyword

    bool alone() const { return form == EncapForm::flag || form == EncapForm::counters; }
};

// All rows in the order of printing.
inline constexpr EncapRow ip_encap_rows[] = {
    {"id", LWTUNNEL_IP_ID, EncapForm::id, "\"id\" value is invalid\n"},
    {"src", LWTUNNEL_IP_SRC, EncapForm::end4},
    {"dst", LWTUNNEL_IP_DST, EncapForm::end4},
    {"ttl", LWTUNNEL_IP_TTL, EncapForm::hops, "\"ttl\" value is invalid\n"},
    {"tos", LWTUNNEL_IP_TOS, EncapForm::traffic_class, "\"tos\" value is invalid\n"},
    {"key", 0x04, EncapForm::flag},
    {"csum", 0x01, EncapForm::flag},
    {"seq", 0x08, EncapForm::flag},
    {"geneve_opts", 0, EncapForm::left},
    {"vxlan_opts", 0, EncapForm::left},
    {"erspan_opts", 0, EncapForm::left},
};
inline constexpr EncapRow ip6_encap_rows[] = {
    {"id", LWTUNNEL_IP6_ID, EncapForm::id, "\"id\" value is invalid\n"},
    {"src", LWTUNNEL_IP6_SRC, EncapForm::end6},
    {"dst", LWTUNNEL_IP6_DST, EncapForm::end6},
    {"hoplimit", LWTUNNEL_IP6_HOPLIMIT, EncapForm::hops, "\"hoplimit\" value is invalid\n"},
    {"tc", LWTUNNEL_IP6_TC, EncapForm::traffic_class, "\"tc\" value is invalid\n"},
    {"key", 0x04, EncapForm::flag},
    {"csum", 0x01, EncapForm::flag},
    {"seq", 0x08, EncapForm::flag},
    {"geneve_opts", 0, EncapForm::left},
    {"vxlan_opts", 0, EncapForm::left},
    {"erspan_opts", 0, EncapForm::left},
};
inline constexpr EncapRow mpls_encap_rows[] = {
    {"ttl", MPLS_IPTUNNEL_TTL, EncapForm::hops, "\"ttl\" value is invalid\n"},
};
inline constexpr EncapRow seg6local_rows[] = {
    {"action", SEG6_LOCAL_ACTION, EncapForm::action, "\"action\" value is invalid\n"},
    {"srh", SEG6_LOCAL_SRH, EncapForm::header, "missing \"segs\" attribute for srh\n"},
    {"table", SEG6_LOCAL_TABLE, EncapForm::table, "invalid table id\n"},
    {"vrftable", SEG6_LOCAL_VRFTABLE, EncapForm::table, "invalid vrf table id\n"},
    {"nh4", SEG6_LOCAL_NH4, EncapForm::hop4},
    {"nh6", SEG6_LOCAL_NH6, EncapForm::hop6},
    {"iif", SEG6_LOCAL_IIF, EncapForm::device},
    {"oif", SEG6_LOCAL_OIF, EncapForm::device},
    {"count", SEG6_LOCAL_COUNTERS, EncapForm::counters},
    {"flavors", SEG6_LOCAL_FLAVORS, EncapForm::flavors, "invalid \"flavors\" attribute\n"},
    {"endpoint", SEG6_LOCAL_BPF, EncapForm::left},
};

// The two kinds of tunnels.
struct EncapTunnel {
    std::string_view name;
    uint16_t number;  // LWTUNNEL_ENCAP_*
    std::span<const EncapRow> rows;
    uint16_t flags, options;  // attributes
};
inline constexpr EncapTunnel encap_tunnels[] = {
    {"ip", LWTUNNEL_ENCAP_IP, ip_encap_rows, LWTUNNEL_IP_FLAGS, LWTUNNEL_IP_OPTS},
    {"ip6", LWTUNNEL_ENCAP_IP6, ip6_encap_rows, LWTUNNEL_IP6_FLAGS, LWTUNNEL_IP6_OPTS},
};

}  // namespace nlsh
