// The options of `ip tunnel add | change | delete`: a row for each word, and the readers of values.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <linux/ip6_tunnel.h>

#include <bit>
#include <cstring>

#include "backend/objects/tunnel/words/layout.h"
#include "backend/objects/tunnel/words/words.h"
#include "parser/ip/refusal.h"
#include "parser/try.h"

namespace nlsh {
namespace {

constexpr uint32_t dont_fragment =  // in network order
    std::endian::native == std::endian::little ? 0x40 : 0x4000;
constexpr uint32_t max_flow_label = 0xfffff;
constexpr uint32_t traffic_bits = 20;  // shift of the traffic class in the flow word

std::string byte(uint32_t value) {
    return std::string(1, static_cast<char>(value));
}

Parsed<std::string> parse_key(std::string_view word) {
    uint32_t key;
    if (word.find('.') == word.npos) {
        key = htonl(TRY(parse_u32(word)));
    } else {
        const auto address = parse_address(word, AF_INET);
        if (!address) return std::unexpected(unexplained(address.error()));
        std::memcpy(&key, address->bytes.data(), sizeof key);
    }
    return std::string(reinterpret_cast<const char*>(&key), sizeof key);
}

Parsed<std::string> parse_endpoint(std::string_view word, bool ipv6) {
    const auto address = parse_address(word, ipv6 ? AF_INET6 : AF_INET);
    if (!address && ipv6) return std::unexpected(address.error());
    if (!address && !address.error().message.empty()) {
        return refused(fmt::format("Error: an IP address is expected rather than \"{}\"\n", word),
                       1);
    }
    if (!address) return std::unexpected(unexplained(address.error()));
    const size_t size = ipv6 ? 16 : 4;
    return std::string(reinterpret_cast<const char*>(address->bytes.data()), size);
}

}  // namespace

// Without a message, a change declines values that nlsh can't read.
std::unexpected<Decline> TunnelWords::bad(Decline decline, std::string_view word,
                                          const char* complaint) const {
    if (change_) return std::unexpected(std::move(decline));
    return std::unexpected(with_complaint(std::move(decline), word, complaint));
}

Parsed<void> TunnelWords::read_flag(const Option& option, std::string_view) {
    const auto bits = static_cast<uint16_t>(option.bits);
    const TunnelLayout& layout = tunnel_layout(ipv6_);
    if (option.comes_in) set_bits(layout.i_flags, bits, true);
    if (option.goes_out) set_bits(layout.o_flags, bits, true);
    return {};
}

Parsed<void> TunnelWords::read_key(const Option& option, std::string_view word) {
    const auto key = parse_key(word);
    if (!key && key.error().bad_value && !change_) {
        return refused(
            fmt::format("invalid value for \"{}\": \"{}\"; it should be an unsigned integer\n",
                        option.word, word));
    }
    if (!key) return std::unexpected(unexplained(key.error()));
    const TunnelLayout& layout = tunnel_layout(ipv6_);
    if (option.comes_in) set(layout.i_key, *key);
    if (option.goes_out) set(layout.o_key, *key);
    return read_flag(option, word);
}

Parsed<void> TunnelWords::read_link(const Option&, std::string_view word) {
    auto link = parse_device(word);
    if (!link || !link_.empty()) return declined("tunnel: device");
    link_ = *std::move(link);
    return {};
}

Parsed<void> TunnelWords::read_address(const Option& option, std::string_view word) {
    auto address = parse_endpoint(word, ipv6_);
    if (!address && change_) return std::unexpected(unexplained(address.error()));
    set(option.place, TRY(std::move(address)));
    return {};
}

Parsed<void> TunnelWords::read_ttl(const Option& option, std::string_view word) {
    const bool inherit = word == "inherit";
    if (inherit && !ipv6_) return {};  // a change keeps the tunnel's value
    const auto ttl = inherit ? Parsed<uint8_t>(bad_value("tunnel: TTL")) : parse_u8(word);
    if (!ttl) return bad(ttl.error(), word, ipv6_ ? "invalid TTL" : "invalid TTL\n");
    set(option.place, byte(*ttl));
    return {};
}

Parsed<uint32_t> TunnelWords::parse_ds_field(std::string_view word) const {
    const auto field = names_.value(NameKind::dsfield, word);
    if (!field || *field > UINT8_MAX) return declined("tunnel: DS field");
    return *field;
}

Parsed<void> TunnelWords::read_tos(const Option& option, std::string_view word) {
    set(option.place, byte(word == "inherit" ? 1 : TRY(parse_ds_field(word))));
    return {};
}

Parsed<void> TunnelWords::read_traffic_class(const Option&, std::string_view word) {
    const bool inherit = word == "inherit";
    const uint32_t field = inherit ? 0 : TRY(parse_ds_field(word));
    set_bits(ipv6_flags, uint32_t{IP6_TNL_F_USE_ORIG_TCLASS}, inherit);
    set_bits(ipv6_flow, htonl(0xffu << traffic_bits), false);
    if (!inherit) set_bits(ipv6_flow, htonl(field << traffic_bits), true);
    return {};
}

Parsed<void> TunnelWords::read_flow_label(const Option&, std::string_view word) {
    const bool inherit = word == "inherit";
    const auto label = inherit ? Parsed<uint32_t>(0U) : parse_u32(word, max_flow_label);
    if (!label) return bad(label.error(), word, "invalid Flowlabel");
    set_bits(ipv6_flags, uint32_t{IP6_TNL_F_USE_ORIG_FLOWLABEL}, inherit);
    set_bits(ipv6_flow, htonl(max_flow_label), false);
    set_bits(ipv6_flow, htonl(*label), true);
    return {};
}

Parsed<void> TunnelWords::read_encap_limit(const Option&, std::string_view word) {
    const bool none = word == "none";
    set_bits(ipv6_flags, uint32_t{IP6_TNL_F_IGN_ENCAP_LIMIT}, none);
    if (!none) set(ipv6_limit, byte(TRY(parse_u8(word))));
    return {};
}

Parsed<void> TunnelWords::read_dscp(const Option&, std::string_view word) {
    if (word != "inherit") {
        const bool known = !change_ && is_plain_value(word);
        if (!known) return declined("tunnel: dscp");
        return bad(bad_value("tunnel: dscp").error(), word, "not inherit");
    }
    set_bits(ipv6_flags, uint32_t{IP6_TNL_F_RCV_DSCP_COPY}, true);
    return {};
}

Parsed<void> TunnelWords::read_discovery(const Option& option, std::string_view) {
    const auto fragment = static_cast<uint16_t>(option.bits);
    set(option.place, {reinterpret_cast<const char*>(&fragment), sizeof fragment});
    return {};
}

Parsed<void> TunnelWords::read_local_remote(const Option& option, std::string_view) {
    set_bits(ipv6_flags, uint32_t{IP6_TNL_F_ALLOW_LOCAL_REMOTE}, option.bits != 0);
    return {};
}

std::span<const TunnelWords::Option> TunnelWords::both_options() {
    // An option of incoming packets, of outgoing ones, or of both. Only keys have a value.
    constexpr auto way = [](std::string_view word, uint32_t bits, bool in, bool out) {
        const bool key = bits == GRE_KEY;
        return Option{.word = word,
                      .read = key ? &TunnelWords::read_key : &TunnelWords::read_flag,
                      .alone = !key,
                      .bits = bits,
                      .comes_in = in,
                      .goes_out = out};
    };
    static constexpr Option rows[] = {
        {.word = "mode", .read = &TunnelWords::read_mode},
        {.word = "name", .read = &TunnelWords::read_name},
        {.word = "dev", .read = &TunnelWords::read_link},
        way("key", GRE_KEY, true, true),
        way("ikey", GRE_KEY, true, false),
        way("okey", GRE_KEY, false, true),
        way("seq", GRE_SEQ, true, true),
        way("iseq", GRE_SEQ, true, false),
        way("oseq", GRE_SEQ, false, true),
        way("csum", GRE_CSUM, true, true),
        way("icsum", GRE_CSUM, true, false),
        way("ocsum", GRE_CSUM, false, true),
    };
    return rows;
}

std::span<const TunnelWords::Option> TunnelWords::ipv4_options() {
    static constexpr Option rows[] = {
        {.word = "remote", .read = &TunnelWords::read_address, .place = ipv4_remote},
        {.word = "local", .read = &TunnelWords::read_address, .place = ipv4_local},
        {.word = "ttl", .read = &TunnelWords::read_ttl, .place = ipv4_ttl},
        {.word = "hoplimit", .read = &TunnelWords::read_ttl, .place = ipv4_ttl},
        {.word = "hlim", .read = &TunnelWords::read_ttl, .place = ipv4_ttl},
        {.word = "tos", .read = &TunnelWords::read_tos, .place = ipv4_tos},
        {.word = "tclass", .read = &TunnelWords::read_tos, .place = ipv4_tos},
        {.word = "dsfield", .read = &TunnelWords::read_tos, .place = ipv4_tos},
        {.word = "pmtudisc",
         .read = &TunnelWords::read_discovery,
         .alone = true,
         .place = ipv4_fragment,
         .bits = dont_fragment},
        {.word = "nopmtudisc",
         .read = &TunnelWords::read_discovery,
         .alone = true,
         .place = ipv4_fragment},
    };
    return rows;
}

std::span<const TunnelWords::Option> TunnelWords::ipv6_options() {
    static constexpr Option rows[] = {
        {.word = "remote",
         .read = &TunnelWords::read_address,
         .place = offsetof(ip6_tnl_parm2, raddr)},
        {.word = "local",
         .read = &TunnelWords::read_address,
         .place = offsetof(ip6_tnl_parm2, laddr)},
        {.word = "ttl", .read = &TunnelWords::read_ttl, .place = ipv6_ttl},
        {.word = "hoplimit", .read = &TunnelWords::read_ttl, .place = ipv6_ttl},
        {.word = "hlim", .read = &TunnelWords::read_ttl, .place = ipv6_ttl},
        {.word = "tos", .read = &TunnelWords::read_traffic_class},
        {.word = "tclass", .read = &TunnelWords::read_traffic_class},
        {.word = "dsfield", .read = &TunnelWords::read_traffic_class},
        {.word = "flowlabel", .read = &TunnelWords::read_flow_label},
        {.word = "fl", .read = &TunnelWords::read_flow_label},
        {.word = "encaplimit", .read = &TunnelWords::read_encap_limit},
        {.word = "dscp", .read = &TunnelWords::read_dscp},
        {.word = "allow-localremote",
         .read = &TunnelWords::read_local_remote,
         .alone = true,
         .bits = 1},
        {.word = "noallow-localremote", .read = &TunnelWords::read_local_remote, .alone = true},
    };
    return rows;
}

}  // namespace nlsh
