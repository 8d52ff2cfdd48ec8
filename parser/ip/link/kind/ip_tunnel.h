// What the kinds of tunnels over IPv4 and IPv6 share: GRE, ERSPAN, IPIP, SIT, IP6TNL, VTI.
//
// iproute2 fills a structure from its defaults, or from the link that is changed, then from the
// options, and sends the whole structure. So an option says again what another has said, and what
// no option names is sent too.
#pragma once

#include <netinet/in.h>

#include <array>

#include "parser/ip/link/kind/option.h"

namespace nlsh {

// One attribute of a kind's data, in the order in which they are sent.
struct TunnelAttribute {
    uint16_t type;
    std::string_view initial = {};  // of a new link; empty: sent when an option says it
    enum class Role : uint8_t {
        kept,      // a change without the option keeps what the link has
        fresh,     // a change begins from `initial`
        external,  // collects metadata: nothing after it is sent
    } role = Role::kept;
};
Parsed<void> finish_tunnel(OptionScope& scope, std::span<const TunnelAttribute> layout);

// Bits of a flags attribute.
template <typename T>
void put_flags(OptionScope& scope, uint16_t type, T bits, bool on);
// The value of an option; what an earlier option has said is dropped.
void replace(OptionScope& scope, uint16_t type, std::string bytes);

// An address; any and zeros are none. The parameter isn't used.
Parsed<void> read_endpoint4(OptionScope&, const LinkOption&, Arguments&);
Parsed<void> read_endpoint6(OptionScope&, const LinkOption&, Arguments&);
Parsed<void> read_tunnel_ttl(OptionScope&, const LinkOption&, Arguments&);  // 0 to 255, inherit
Parsed<void> read_tunnel_tos(OptionScope&, const LinkOption&, Arguments&);  // DS field, inherit
Parsed<void> read_fwmark(OptionScope&, const LinkOption&, Arguments&);
// A byte, the parameter, said last wins.
Parsed<void> set_tunnel_u8(OptionScope&, const LinkOption&, Arguments&);
// A u32 or a dotted quad, in network order.
Parsed<std::string> parse_key(std::string_view keyword, std::string_view word);

// Traffic class and flow label are one attribute of 32 bits, the parameter is the flags' attribute.
Parsed<void> read_traffic_class(OptionScope&, const LinkOption&, Arguments&);
Parsed<void> read_tunnel_flow_label(OptionScope&, const LinkOption&, Arguments&);
Parsed<void> read_encap_limit(OptionScope&, const LinkOption&, Arguments&);
Parsed<void> read_dscp(OptionScope&, const LinkOption&, Arguments&);         // inherit
Parsed<void> set_local_remote(OptionScope&, const LinkOption&, Arguments&);  // parameter: allowed

// UDP encapsulation. The kinds number its attributes alike: type, flags, source and destination
// port.
Parsed<void> read_encap_type(OptionScope&, const LinkOption&, Arguments&);  // none | fou | gue
Parsed<void> clear_encap_type(OptionScope&, const LinkOption&, Arguments&);
Parsed<void> read_encap_source_port(OptionScope&, const LinkOption&, Arguments&);  // or auto
Parsed<void> read_encap_port(OptionScope&, const LinkOption&, Arguments&);
Parsed<void> set_encap_flag(OptionScope&, const LinkOption&, Arguments&);
Parsed<void> clear_encap_flag(OptionScope&, const LinkOption&, Arguments&);

constexpr std::array<LinkOption, 10> encap_options(uint16_t first) {
    const auto at = [&](unsigned place) { return static_cast<uint16_t>(first + place); };
    constexpr auto exact = Spelling::exact;
    return {{
        {"noencap", at(0), clear_encap_type, 0, {}, exact},
        {"encap", at(0), read_encap_type, 0, {}, exact, "Invalid encap type."},
        {"encap-sport", at(2), read_encap_source_port, 0, {}, exact, "Invalid source port."},
        {"encap-dport", at(3), read_encap_port, 0, {}, exact, "Invalid destination port."},
        {"encap-csum", at(1), set_encap_flag, 1, {}, exact},
        {"noencap-csum", at(1), clear_encap_flag, 1, {}, exact},
        {"encap-udp6-csum", at(1), set_encap_flag, 2, {}, exact},
        {"noencap-udp6-csum", at(1), clear_encap_flag, 2, {}, exact},
        {"encap-remcsum", at(1), set_encap_flag, 4, {}, exact},
        {"noencap-remcsum", at(1), clear_encap_flag, 4, {}, exact},
    }};
}

}  // namespace nlsh
