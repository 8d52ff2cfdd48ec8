// Shared by the tunnels over IPv4 and IPv6: GRE, ERSPAN, IPIP, SIT, IP6TNL, VTI.
//
// iproute2 fills a structure from its defaults, or from the changed link, then from the options,
// and sends the whole structure. So a later option replaces an earlier one, and iproute2 also sends
// values that no option names.
#pragma once

#include <sys/socket.h>

#include <array>

#include "backend/objects/link/kinds/udp_tunnel.h"
#include "parser/ip/bytes.h"
#include "parser/ip/keywords.h"
#include "parser/try.h"

namespace nlsh {

// An attribute of a kind's data. Layouts list attributes in the order of sending.
struct TunnelAttribute {
    uint16_t type;
    std::string_view initial = {};  // for a new link; empty: sent only if an option sets it
    enum class Role : uint8_t {
        kept,      // without the option, a change keeps the link's value
        nonzero,   // the same, but zeros aren't sent
        fresh,     // a change starts from `initial`
        external,  // collects metadata: no attribute after it is sent
    } role = Role::kept;
};
Parsed<void> finish_tunnel(OptionScope& scope, std::span<const TunnelAttribute> layout);
// The UDP encapsulation, whose attributes begin with `first`. `flags`: two bytes.
constexpr std::array<TunnelAttribute, 4> encap_layout(
    uint16_t first, std::string_view flags,
    TunnelAttribute::Role role = TunnelAttribute::Role::kept) {
    constexpr std::string_view zero("\0\0", 2);
    const auto at = [&](unsigned place) { return static_cast<uint16_t>(first + place); };
    return {{{at(0), zero, role}, {at(1), flags, role}, {at(2), zero, role}, {at(3), zero, role}}};
}

// Sets or clears bits of a flags attribute.
template <typename T>
void put_flags(OptionScope& scope, uint16_t type, T bits, bool on);

// A value of a fixed size; the last option counts.
template <auto Parse>
Parsed<void> read_last(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    scope.replace(row.attribute, bytes_of(TRY(Parse(TRY(arguments.value(row.word))))));
    return {};
}
// An address; `any` and zeros stand for no address.
template <uint8_t Family>
Parsed<void> read_endpoint(OptionScope&, const LinkRow&, Arguments&);
Parsed<void> read_tunnel_ttl(OptionScope&, const LinkRow&, Arguments&);  // 0 to 255, inherit
Parsed<void> read_tunnel_tos(OptionScope&, const LinkRow&, Arguments&);  // DS field, inherit
// Sends the row's parameter as a byte; the last option counts.
Parsed<void> set_tunnel_u8(OptionScope&, const LinkRow&, Arguments&);
Parsed<void> set_external(OptionScope&, const LinkRow&, Arguments&);
// A u32 or a dotted quad, in network order.
Parsed<std::string> parse_key(std::string_view keyword, std::string_view word);

// Traffic class and flow label share an attribute of 32 bits. The row's parameter is the flags'
// attribute.
Parsed<void> read_traffic_class(OptionScope&, const LinkRow&, Arguments&);
Parsed<void> read_tunnel_flow_label(OptionScope&, const LinkRow&, Arguments&);
Parsed<void> read_encap_limit(OptionScope&, const LinkRow&, Arguments&);
Parsed<void> read_dscp(OptionScope&, const LinkRow&, Arguments&);         // inherit
Parsed<void> set_local_remote(OptionScope&, const LinkRow&, Arguments&);  // parameter: allowed

// UDP encapsulation. In each kind its attributes have consecutive numbers: type, flags, source
// port, destination port.
Parsed<void> read_encap_type(OptionScope&, const LinkRow&, Arguments&);  // none | fou | gue
Parsed<void> clear_encap_type(OptionScope&, const LinkRow&, Arguments&);
Parsed<void> read_encap_source_port(OptionScope&, const LinkRow&, Arguments&);  // or auto
Parsed<void> read_encap_port(OptionScope&, const LinkRow&, Arguments&);
template <bool On>
Parsed<void> set_encap_flag(OptionScope&, const LinkRow&, Arguments&);

// An address, or any.
void print_endpoint(const KindOutput&, const LinkRow&, Attribute);
// `LABEL N` or `LABEL inherit`; in JSON `inherit` is 0.
void print_tunnel_ttl(const KindOutput&, const LinkRow&, Attribute);
void print_hex_if_set(const KindOutput&, const LinkRow&, Attribute);
void print_inet_if_set(const KindOutput&, const LinkRow&, Attribute);
// The row has the type's attribute; flags and ports have the next numbers.
void print_encapsulation(const KindOutput&, const LinkRow&, Attribute);
// Bits of the attribute in the parameter replace these three.
void print_traffic_class(const KindOutput&, const LinkRow&, Attribute);
void print_tunnel_flow_label(const KindOutput&, const LinkRow&, Attribute);
void print_encap_limit(const KindOutput&, const LinkRow&, Attribute);

inline constexpr Codec endpoint4{read_endpoint<AF_INET>, print_endpoint};
inline constexpr Codec endpoint6{read_endpoint<AF_INET6>, print_endpoint};
inline constexpr Codec tunnel_ttl{read_tunnel_ttl, print_tunnel_ttl};
inline constexpr Codec tunnel_tos{read_tunnel_tos, print_tos};
inline constexpr Codec traffic_class{read_traffic_class, print_traffic_class};
inline constexpr Codec tunnel_flow_label{read_tunnel_flow_label, print_tunnel_flow_label};
inline constexpr Codec encap_limit{read_encap_limit, print_encap_limit};
inline constexpr Codec fwmark{read_last<parse_number>, print_hex_if_set};
inline constexpr Codec external{set_external, print_presence};

inline constexpr const char* invalid_ttl = "invalid TTL\n";
inline constexpr const char* invalid_hop_limit = "invalid HLIM\n";

// clang-format off
constexpr std::array<LinkRow, 10> encap_rows(uint16_t first) {
    const auto at = [&](unsigned place) { return static_cast<uint16_t>(first + place); };
    const uint16_t type = at(0), flags = at(1), source = at(2), destination = at(3);
    return {{
        {.word = "encap", .attribute = type, .codec = {read_encap_type, print_encapsulation},
         .exact = true, .complaint = "Invalid encap type."},
        {.word = "noencap", .attribute = type, .codec = {clear_encap_type}, .exact = true},
        {.word = "encap-sport", .attribute = source, .codec = {read_encap_source_port},
         .exact = true, .complaint = "Invalid source port."},
        {.word = "encap-dport", .attribute = destination, .codec = {read_encap_port},
         .exact = true, .complaint = "Invalid destination port."},
        {.word = "encap-csum", .attribute = flags, .codec = {set_encap_flag<true>}, .parameter = 1,
         .exact = true},
        {.word = "noencap-csum", .attribute = flags, .codec = {set_encap_flag<false>}, .parameter = 1,
         .exact = true},
        {.word = "encap-udp6-csum", .attribute = flags, .codec = {set_encap_flag<true>},
         .parameter = 2, .exact = true},
        {.word = "noencap-udp6-csum", .attribute = flags, .codec = {set_encap_flag<false>},
         .parameter = 2, .exact = true},
        {.word = "encap-remcsum", .attribute = flags, .codec = {set_encap_flag<true>}, .parameter = 4,
         .exact = true},
        {.word = "noencap-remcsum", .attribute = flags, .codec = {set_encap_flag<false>},
         .parameter = 4, .exact = true},
    }};
}
// clang-format on

}  // namespace nlsh
